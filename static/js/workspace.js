/* The workspace: sections that someone opened stay open when a form is drawn anew, and Escape leaves a form. */
(() => {
  "use strict";
  if (window.Idiomorph) {
    window.Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, element, kind) =>
      !(name === "open" && kind === "remove" && element.tagName === "DETAILS");
  }
  // A removed row is a change like any other, but no field says so.
  document.addEventListener("htmx:afterSettle", (event) => {
    const by = event.detail.requestConfig?.triggeringEvent?.target;
    if (by?.closest?.("[data-then-saves]")) {
      document.querySelector("#statement form.form")?.dispatchEvent(new Event("change"));
    }
  });
})();
