/* <input type="search" data-filters="ID" hidden>: shows the entries of that list that have all its words. A list that is
   drawn anew stays filtered; Escape empties it. */
(() => {
  "use strict";
  const kept = new Map();
  const narrow = (field) => {
    const asked = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const entries = document.getElementById(field.dataset.filters)?.children ?? [];
    let shown = 0;
    for (const entry of entries) {
      const said = entry.textContent.toLowerCase();
      entry.hidden = !asked.every((word) => said.includes(word));
      if (!entry.hidden) shown += 1;
    }
    const count = field.parentElement.querySelector("[data-filtered]");
    if (count) count.textContent = asked.length ? `${shown} of ${entries.length}` : "";
  };
  const show = () => {
    for (const field of document.querySelectorAll("[data-filters]")) {
      field.hidden = false;
      const { filters } = field.dataset;
      if (field !== document.activeElement) field.value = kept.get(filters) ?? "";
      narrow(field);
    }
  };
  document.addEventListener("input", (event) => {
    if (!event.target.matches("[data-filters]")) return;
    kept.set(event.target.dataset.filters, event.target.value);
    narrow(event.target);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !event.target.matches("[data-filters]") || !event.target.value) return;
    event.preventDefault();
    event.target.value = "";
    event.target.dispatchEvent(new Event("input", { bubbles: true }));
  });
  show();
  document.addEventListener("htmx:afterSettle", show);
})();
