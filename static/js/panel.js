/* What opens in the left column and closes again. The focus goes to the first field of a form that somebody opened, to the
   first field of it that is refused, and from a form that was closed back to the link that opens it. Escape closes: a field
   that was changed is left first, which saves it. What is half typed into the form of something new is kept in this tab,
   marked where that form opens, and typed again when it does. */
(() => {
  "use strict";
  const KEPT = "keywright-typed:";
  const panel = () => document.getElementById("statement");
  const form = () => panel()?.querySelector("form.form");
  const isNew = (each) => each !== null && each !== undefined && each.method === "post" && !each.matches("[data-saves]") && each.querySelector(".form-end") !== null;
  const pathOf = (address) => new URL(address, location.href).pathname;
  const keyOf = (each) => KEPT + pathOf(each.getAttribute("action"));
  const openings = new WeakSet(); // Requests by which somebody opens or closes a form.
  let opened = "";
  let wasNew = false;
  let isAnew = false;

  // What is half typed. ------------------------------------------------------------------------------------------------
  const read = (key) => {
    try {
      return sessionStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const write = (key, value) => {
    try {
      if (value === null) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, value);
    } catch {
      // A browser that keeps nothing keeps nothing.
    }
  };
  const filled = (each) => {
    const typed = new URLSearchParams();
    for (const [name, value] of new FormData(each)) {
      if (typeof value === "string" && name !== "csrfmiddlewaretoken") typed.append(name, value);
    }
    return typed.toString();
  };
  const keep = (event) => {
    const each = event.target.closest?.("#statement form.form");
    if (isNew(each) && event.isTrusted) write(keyOf(each), filled(each));
  };
  document.addEventListener("input", keep);
  document.addEventListener("change", keep);

  const mark = () => {
    for (const link of panel()?.querySelectorAll("#lists .panel-head a.tool") ?? []) {
      const has = read(KEPT + pathOf(link.href)) !== null;
      if (link.classList.toggle("has-draft", has)) link.title = "Your unfinished input is kept";
      else if (link.title === "Your unfinished input is kept") link.removeAttribute("title");
    }
  };
  const again = () => {
    const each = form();
    if (!isNew(each)) return;
    const typed = read(keyOf(each));
    if (typed === null || typed === filled(each)) return;
    const values = new FormData();
    for (const [name, value] of new URLSearchParams(typed)) if (!name.startsWith("was-")) values.append(name, value);
    values.set("intent", "redraw");
    const path = each.getAttribute("action");
    window.htmx.ajax("POST", path, { target: "#statement", swap: "innerHTML", values }).then(() => {
      if (!isNew(form())) return;
      tell();
      first()?.focus();
      // What would follow from it is shown as if it were typed now.
      form().dispatchEvent(new Event("input", { bubbles: true }));
    });
  };
  const tell = () => {
    const note = document.createElement("p");
    note.className = "notice-line kept-note";
    note.append("What you typed earlier was restored. ");
    const drop = document.createElement("button");
    drop.type = "button";
    drop.className = "link";
    drop.textContent = "Begin anew";
    drop.addEventListener("click", () => {
      const address = form().getAttribute("action");
      write(keyOf(form()), null);
      isAnew = true;
      window.htmx.ajax("GET", address, { target: "#statement", swap: "innerHTML" });
    });
    note.append(drop);
    form().before(note);
  };
  document.addEventListener("htmx:beforeSwap", (event) => {
    // What was added has an address of its own, or stands in the list. After the swap the form is another one.
    const { requestConfig, xhr } = event.detail;
    const { elt } = requestConfig;
    // A form that was closed is previewed no more.
    if (elt.matches?.("[data-preview]") && !elt.isConnected) event.detail.shouldSwap = false;
    if (elt.matches?.("form.form") && isNew(elt) && xhr.status < 300 && xhr.getResponseHeader("HX-Push-Url")) write(keyOf(elt), null);
  });

  // The focus. ---------------------------------------------------------------------------------------------------------
  const first = () => {
    const fields = form()?.querySelectorAll("input:not([type='hidden']), select, textarea") ?? [];
    return [...fields].find((field) => !field.disabled && field.checkVisibility() && !field.closest("#conflict"));
  };
  const lead = (link) => link.matches("a[hx-target='#statement'], a.back") && link.hasAttribute("hx-get");
  const opener = () => {
    const links = [...panel().querySelectorAll(".list a, .panel-head a, .panel-end a")];
    return links.find((link) => pathOf(link.href) === opened) ?? panel().querySelector("[data-pattern][aria-current='true']");
  };
  document.addEventListener("htmx:beforeRequest", (event) => {
    const { elt, requestConfig, xhr } = event.detail;
    if (isAnew || (requestConfig.verb === "get" && elt.matches?.("a") && lead(elt))) openings.add(xhr);
    isAnew = false;
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id !== "statement" || !form()) return;
    opened = pathOf(form().getAttribute("action"));
    wasNew = isNew(form());
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target?.id !== "statement") return;
    mark();
    const isOpening = openings.delete(event.detail.xhr);
    const isLost = document.activeElement === document.body;
    // A finger that opens a form would be met by the keyboard on half the screen; and whoever types in the palette goes on.
    const types = document.activeElement.matches(":is(dialog[open], [popover]:popover-open) :is(input, textarea, select)");
    const mayFocus = !matchMedia("(pointer: coarse)").matches && !types;
    if (form()) {
      if (isOpening && mayFocus) first()?.focus({ preventScroll: true });
      // The button of a form that is refused, or of what was added, is gone or another one.
      else if (isLost && mayFocus) (form().querySelector("[aria-invalid='true']") ?? (wasNew ? first() : null))?.focus({ preventScroll: true });
      // What was drawn in the diagram is filled in already.
      if (isOpening && !event.detail.requestConfig.elt.hasAttribute?.("data-fills")) again();
    } else if ((isOpening || isLost) && opened && mayFocus) {
      opener()?.focus({ preventScroll: true });
      opened = "";
    }
    // What to do next stands above the lists. The button of a long form is far below it.
    if (!form() && wasNew) panel().scrollTop = 0;
    wasNew = false;
  });

  // Escape. ------------------------------------------------------------------------------------------------------------
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || !panel()) return;
    if (document.querySelector("dialog[open], [popover]:popover-open")) return;
    const back = panel().querySelector("a.back");
    const field = document.activeElement;
    if (!back || !(field === document.body || panel().contains(field))) return;
    event.preventDefault();
    const isTyped = field.matches("input, textarea") && field.value !== field.defaultValue;
    if (isTyped && form()?.matches("[data-saves]")) field.blur();
    else {
      // Right after a swap the link is not htmx's yet, and a click would load the whole page.
      window.htmx?.process(back);
      back.click();
    }
  });

  mark();
  document.addEventListener("DOMContentLoaded", () => {
    // Whoever comes to the page of a new part by a link types at once.
    const isFree = document.activeElement === document.body && !location.hash;
    if (isNew(form()) && isFree && !matchMedia("(pointer: coarse)").matches) first()?.focus({ preventScroll: true });
    again();
  });
})();
