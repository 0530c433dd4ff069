/* In the rows of `data-enter-adds` Enter in a text adds a row; in an empty one it sends the form, as elsewhere. */
(() => {
  "use strict";
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.key !== "Enter" || event.isComposing || !target.matches("input[type='text']")) return;
    const rows = target.closest("[data-enter-adds]");
    if (!rows || !target.value.trim()) return;
    event.preventDefault();
    rows.querySelector(":scope > .row-add")?.click();
  });
})();
