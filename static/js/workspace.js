/* The workspace, where htmx alone does not do. Sections that someone opened stay open when a form is drawn anew. An
   answer that was overtaken is not shown: a preview by a save or by another form, a plan by a later change, a form by
   what was filled in since. Removing a row saves. The focus goes to the first field of an added row, and from a removed row to the one after it. What others
   changed too is asked in sight; the answer is sent with the form, and not by itself. What was chosen before this script
   was there is saved then. */
(() => {
  "use strict";
  if (window.Idiomorph) {
    window.Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, element, kind) =>
      !(name === "open" && kind === "remove" && element.tagName === "DETAILS");
  }

  const rows = new WeakMap();
  let emptied = null;
  const started = new WeakMap();
  const fresh = new WeakSet(); // Requests that send a new part.
  const filled = new WeakMap();
  let saved = 0;
  let shown = 0; // When the panel got what it shows.
  let changed = 0;
  let typed = 0;
  let submitted = 0;
  let carried = null;
  const form = () => document.querySelector("#statement form.form");
  const again = () => {
    const source = form()?.matches("[data-saves]") ? form() : form()?.querySelector("[data-redraws]");
    source?.dispatchEvent(new Event("change", { bubbles: true }));
  };

  const isMarked = ({ options }) => [...options].some((option) => option.defaultSelected);
  const differs = (field) => {
    if (field.matches("select")) {
      return [...field.options].some((option, at) => option.selected !== (isMarked(field) ? option.defaultSelected : at === 0));
    }
    if (field.matches("[type='checkbox'], [type='radio']")) return field.checked !== field.defaultChecked;
    // Where somebody types still is saved when they leave it.
    return field.matches("input, textarea") && field.value !== field.defaultValue && field !== document.activeElement;
  };
  // body:has() would have the browser look through the page after each change of anything.
  const tell = () => document.body.classList.toggle("is-unsaved", document.querySelector(".form[data-saves] > :is(#conflict, #form-errors)") !== null);
  document.addEventListener("htmx:afterSettle", tell);
  tell();
  document.addEventListener("DOMContentLoaded", () => {
    if (form()?.matches("[data-saves]") && [...form().elements].some(differs)) again();
  });

  document.addEventListener("input", (event) => {
    typed = performance.now();
    filled.set(event.target, typed);
  }, true);
  document.addEventListener("submit", (event) => {
    const open = event.target.querySelector("#conflict input:invalid");
    if (open) {
      event.preventDefault();
      event.stopImmediatePropagation();
      open.reportValidity();
    }
    submitted = performance.now();
  }, true);
  // The element that asks for previews may have been merged into that of another form.
  const isOfAnother = ({ elt, path }) => elt.getAttribute("hx-post") !== path;
  document.addEventListener("htmx:configRequest", (event) => {
    // What is saved already needs no preview; nor does what was typed into a form that has made way for another one.
    if (event.detail.elt.matches("[data-preview]") && (saved > typed || isOfAnother(event.detail))) event.preventDefault();
    // Whichever button has the focus still, a save adds and removes no row.
    if (event.detail.elt.matches("form.form")) for (const name of ["add-row", "remove-row"]) delete event.detail.parameters[name];
  });
  document.addEventListener("htmx:beforeSend", (event) => {
    started.set(event.detail.xhr, performance.now());
    const { name, value } = event.detail.elt;
    if (name === "add-row" || name === "remove-row") rows.set(event.detail.xhr, { name, value });
    if (event.detail.elt.matches("form.form")) saved = performance.now();
    if (event.detail.elt.matches("form.form:not([data-saves])")) fresh.add(event.detail.xhr);
    if (event.detail.requestConfig.verb === "post" && !event.detail.elt.matches("[data-preview]")) changed = performance.now();
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { requestConfig, xhr, target } = event.detail;
    const since = started.get(xhr) ?? 0;
    const { elt } = requestConfig;
    if ((elt.matches("[data-preview]") && since < Math.max(saved, shown)) || (elt.matches("[data-planning]") && since < changed)) {
      event.detail.shouldSwap = false;
      return;
    }
    // Another page in the panel: what was asked for the one before comes too late.
    if (target.id === "statement" && !elt.matches("[data-planning]")) changed = performance.now();
    if (target.id === "statement" && (requestConfig.verb === "get" || xhr.getResponseHeader("HX-Push-Url"))) shown = performance.now();
    if (target.id !== "statement" || requestConfig.verb !== "post" || !form()) return;
    if (!form().contains(requestConfig.elt)) return;
    const late = [...form().elements].filter((field) => filled.get(field) > since);
    // What was added is there: what was filled in since goes into its own form, if that is shown next. Nothing else is
    // merged into this one: fields of the same names would keep what is typed just now.
    if (!form().matches("[data-saves]") && xhr.getResponseHeader("HX-Push-Url")) {
      const isItsOwn = xhr.response.includes(`id="${form().id}"`);
      if (!isItsOwn) event.detail.swapOverride = "innerHTML";
      const fields = late.map(({ name, type, value, checked }) => ({ name, type, value, checked }));
      carried = isItsOwn && fields.length ? { xhr, fields } : null;
      return;
    }
    if (late.some((field) => field !== document.activeElement)) {
      event.detail.shouldSwap = false;
      if (xhr.status === 200) settle(requestConfig.parameters, xhr.response);
      // What was submitted since waits for this answer, and its own draws the form.
      if (submitted <= since) setTimeout(again);
    }
  });
  document.addEventListener("htmx:afterSettle", ({ detail: { xhr } }) => {
    if (xhr !== carried?.xhr) return;
    const { fields } = carried;
    carried = null;
    if (!form()?.matches("[data-saves]")) return;
    for (const { name, type, value, checked } of fields) {
      for (const field of form().elements) {
        if (field.name !== name) continue;
        if (!["checkbox", "radio"].includes(type)) field.value = value;
        else if (field.value === value) field.checked = checked;
      }
    }
    again();
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const { successful, requestConfig } = event.detail;
    if (successful && requestConfig.elt.matches("[data-then-saves]")) again();
  });

  document.addEventListener("htmx:afterSettle", (event) => {
    const row = rows.get(event.detail.xhr);
    if (!row) {
      // Saving drops rows that say nothing, and with them the focus.
      if (emptied && document.activeElement === document.body) document.querySelector(`#${emptied} > .row-add`)?.focus();
      return;
    }
    rows.delete(event.detail.xhr);
    const added = row.name === "add-row";
    const all = document.getElementById(`field-${added ? row.value : row.value.replace(/-\d+$/, "")}`);
    const fields = added ? all?.querySelectorAll(":scope > .row-fields:nth-last-of-type(1) :is(input, select, textarea)") : [];
    const next = added
      ? [...fields].find((field) => field.checkVisibility())
      : document.querySelector(`[id="field-${row.value}"] > .row-remove`) ?? all?.querySelector(":scope > .row-add");
    next?.focus();
    emptied = added ? null : all?.id;
  });
  document.addEventListener("focusin", () => { emptied = null; });
  // The button of a long form stands far below the reason for which it is refused, and below the list to which it adds.
  document.addEventListener("htmx:afterSettle", ({ detail: { xhr, target } }) => {
    if (target?.id !== "statement" || !fresh.has(xhr)) return;
    const shown = document.getElementById("form-errors") ?? target;
    const { top, bottom } = shown.getBoundingClientRect();
    const least = Math.max(0, target.getBoundingClientRect().top);
    if (shown === target ? top < 0 : top < least || bottom > innerHeight) shown.scrollIntoView();
  });

  // A field keeps what stands in it while it has the focus. So what it was rendered with is kept as well, or else it
  // would look as if what somebody else saved there meanwhile had been seen, and changed on purpose. What this form sent
  // itself was seen.
  let focused = null;
  const kept = (field) => field?.form?.elements[`was-${field.name?.split("-")[0]}`];
  const steps = (name) => name.split("-").slice(1);
  const parsed = (was) => {
    try {
      return JSON.parse(was);
    } catch {
      return null;
    }
  };
  const within = (name, was) => (steps(name).length ? steps(name).reduce((at, step) => at?.[step], parsed(was)) ?? "" : was);
  const replaced = (name, was, value) => {
    if (!steps(name).length) return value;
    const whole = parsed(was);
    const last = steps(name).pop();
    const part = steps(name).slice(0, -1).reduce((at, step) => at?.[step], whole);
    if (part instanceof Object) part[last] = value;
    return JSON.stringify(whole);
  };
  const isSent = (field, parameters, was) => (parameters[field.name] ?? "") !== was;
  // What was saved without being shown was seen too.
  const settle = (parameters, answer) => {
    const drawn = new DOMParser().parseFromString(answer, "text/html");
    for (const field of form().elements) {
      const was = kept(field);
      const now = was && drawn.querySelector(`#${form().id} [name="${was.name}"]`);
      if (now && isSent(field, parameters, within(field.name, was.value))) was.value = now.value;
    }
    // A design of the gallery that was not saved yet has no news.
    const [news, newer] = [document, drawn].map((each) => each.getElementById("news"));
    if (news && newer) news.dataset.since = newer.dataset.since;
  };
  const stands = (field) => (field.matches("[type='checkbox'], [type='radio']") && !field.checked ? "" : field.value);
  document.addEventListener("htmx:beforeSwap", (event) => {
    const field = document.activeElement;
    focused = event.detail.target.id === "statement" && kept(field)
      ? { field, name: field.name, was: within(field.name, kept(field).value), is: stands(field) }
      : null;
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    const field = document.activeElement;
    if (event.target.id !== "statement" || focused?.field !== field || focused.name !== field.name) return;
    const was = kept(field);
    const now = was && within(field.name, was.value);
    if (!was || now === focused.was) return;
    const isText = field.matches("textarea, input:not([type='checkbox'], [type='radio'])");
    const { elt, parameters } = event.detail.requestConfig;
    const isSeen = stands(field) === now || (elt === field.form && isSent(field, parameters, focused.was));
    if (!isSeen && !(isText && focused.is === focused.was)) was.value = replaced(field.name, was.value, focused.was);
    else if (isText) {
      field.defaultValue = now;
      if (!isSeen) field.value = now;
    }
  });

  // What others changed too is asked in sight, unless somebody goes on to type: then once they leave that field.
  let asked = "";
  document.addEventListener("htmx:afterSettle", (event) => {
    // News and previews of what they type ask nothing.
    if (event.detail.target?.id !== "statement") return;
    const conflict = document.querySelector("#conflict[tabindex]");
    const { activeElement } = document;
    if (conflict && (conflict.textContent === asked || filled.get(activeElement) > started.get(event.detail.xhr))) return;
    asked = conflict?.textContent ?? "";
    conflict?.focus({ preventScroll: true });
    conflict?.scrollIntoView();
  });

  document.addEventListener("change", (event) => {
    if (event.target.closest?.("#conflict")) event.stopPropagation();
  }, true);
})();
