/* The workspace, where htmx alone does not do. Sections that someone opened stay open when a form is drawn anew. An
   answer that was overtaken is not shown: a preview by a save, a form by what was filled in since. Removing a row
   saves. A conflict is settled by its button only. */
(() => {
  "use strict";
  if (window.Idiomorph) {
    window.Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, element, kind) =>
      !(name === "open" && kind === "remove" && element.tagName === "DETAILS");
  }

  const started = new WeakMap();
  const filled = new WeakMap();
  let saved = 0;
  let typed = 0;
  const form = () => document.querySelector("#statement form.form");
  const again = () => {
    const source = form()?.matches("[data-saves]") ? form() : form()?.querySelector("[data-redraws]");
    source?.dispatchEvent(new Event("change", { bubbles: true }));
  };

  document.addEventListener("input", (event) => {
    typed = performance.now();
    filled.set(event.target, typed);
  }, true);
  document.addEventListener("htmx:configRequest", (event) => {
    // What is saved already needs no preview.
    if (event.detail.elt.matches("[data-preview]") && saved > typed) event.preventDefault();
  });
  document.addEventListener("htmx:beforeSend", (event) => {
    started.set(event.detail.xhr, performance.now());
    if (event.detail.elt.matches("form.form")) saved = performance.now();
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { requestConfig, xhr, target } = event.detail;
    const since = started.get(xhr) ?? 0;
    if (requestConfig.elt.matches("[data-preview]") && since < saved) {
      event.detail.shouldSwap = false;
      return;
    }
    if (target.id !== "statement" || requestConfig.verb !== "post" || !form()) return;
    if (!form().contains(requestConfig.elt) || xhr.getResponseHeader("HX-Push-Url")) return;
    const fields = [...form().elements];
    if (fields.some((field) => filled.get(field) > since && field !== document.activeElement)) {
      event.detail.shouldSwap = false;
      setTimeout(again);
    }
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const { successful, requestConfig } = event.detail;
    if (successful && requestConfig.elt.matches("[data-then-saves]")) again();
  });

  document.addEventListener("change", (event) => {
    if (event.target.closest?.("#conflict")) event.stopPropagation();
  }, true);
})();
