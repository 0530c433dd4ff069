/* A click anywhere in a row of `data-leads` follows the row's own link, unless text was selected there. */
(() => {
  "use strict";
  document.addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-leads]");
    if (!row || event.target.closest("a, button, summary") || !getSelection().isCollapsed) return;
    row.querySelector("a")?.click();
  });
})();
