/* When a pattern is selected, bring the first row it touches into view inside each grid's own scroll area; the page
   itself stays where it is, but where the answer stands below the list: there the page goes to the grid. When the list of patterns is new, as on arrival and after an undo, the selected one is
   brought into view in it too. */
(() => {
  "use strict";
  const show = () => {
    for (const area of document.querySelectorAll(".grid-scroll")) {
      const row = area.querySelector(".is-lit tr.is-returned, .is-lit tbody.is-read tr.is-marked");
      if (!row) continue;
      const head = area.querySelector("thead").offsetHeight;
      const above = row.closest("tbody").offsetTop - head;
      const fits = row.offsetTop + row.offsetHeight - above < area.clientHeight;
      area.scrollTop = fits ? above - 8 : row.offsetTop - head - 8;
    }
  };
  const reach = () => {
    const selected = document.querySelector(".statement [data-pattern][aria-current='true']");
    const list = selected?.closest(".statement");
    if (!list || list.scrollHeight <= list.clientHeight) return;
    const at = selected.getBoundingClientRect().top - list.getBoundingClientRect().top;
    if (at < 0 || at > list.clientHeight - 40) list.scrollTop += at - list.clientHeight / 3;
  };
  // The answer stands below the list, not beside it.
  const isStacked = () => matchMedia("(max-width: 900px)").matches;
  const goTo = () => document.querySelector("#results .sheets")?.scrollIntoView({ block: "start" });
  reach();
  show();
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target?.id === "statement") reach();
    show();
    const isChosen = event.detail.requestConfig?.elt.matches("[data-pattern]") && event.detail.target?.id === "results";
    if (isChosen && isStacked()) goTo();
  });
})();
