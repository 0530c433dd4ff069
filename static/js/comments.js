/* Comments. c opens the comments on what is under the pointer or the focus, else on the selected pattern, else on the
   design: it presses the nearest [data-comment]. n and p walk the threads of the page, [data-thread]. In a
   <textarea data-calls="ID"> an @ offers the names of the <datalist> with that id. */
(() => {
  "use strict";
  const AROUND = "tr, li, .grid-head, .panel, .thread";
  let under = null;
  document.addEventListener("pointerover", (event) => { under = event.target; }, { passive: true });

  const near = (element) => {
    for (let here = element?.closest?.(AROUND); here; here = here.parentElement?.closest(AROUND)) {
      const found = here.querySelector(":scope > [data-comment], :scope > * > [data-comment]");
      if (found) return found;
    }
    return null;
  };
  const comment = () => {
    const focused = document.activeElement === document.body ? null : document.activeElement;
    const current = document.querySelector("[data-pattern][aria-current=true]");
    const link = near(focused) ?? near(under) ?? near(current) ?? document.querySelector("[data-comment]");
    link?.click();
    return Boolean(link);
  };
  const walk = (by) => {
    const threads = [...document.querySelectorAll("[data-thread]")].filter((thread) => thread.checkVisibility());
    if (!threads.length) return false;
    const at = threads.findIndex((thread) => thread.contains(document.activeElement));
    const next = at < 0 ? (by > 0 ? 0 : threads.length - 1) : (at + by + threads.length) % threads.length;
    threads[next].focus();
    threads[next].scrollIntoView({ block: "nearest" });
    return true;
  };
  window.Keywright = { ...window.Keywright, letters: { ...window.Keywright?.letters, c: comment, n: () => walk(1), p: () => walk(-1) } };

  /* Links that name a thread only after the #, which no server is told, lead to the page that has it. */
  const named = location.hash.match(/^#thread-(\d+)$/)?.[1];
  const query = new URLSearchParams(location.search);
  if (named && !query.has("thread") && document.querySelector("[data-pages]") && !document.getElementById(`thread-${named}`)) {
    query.set("thread", named);
    location.replace(`?${query}${location.hash}`);
  }

  /* Names after an @. */
  let list = null;
  let field = null;
  const close = () => {
    list?.remove();
    list = null;
    field?.removeAttribute("aria-activedescendant");
  };
  const begun = () => field.value.slice(0, field.selectionStart).match(/(^|[^\w.@+-])@([\w.@+-]*)$/)?.[2];
  const take = (name) => {
    const end = field.selectionStart;
    field.setRangeText(`${name} `, end - begun().length, end, "end");
    close();
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
  };
  const select = (option) => {
    for (const each of list.children) each.setAttribute("aria-selected", String(each === option));
    option.scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", option.id);
  };
  const offer = () => {
    const word = begun();
    const names = [...(document.getElementById(field.dataset.calls)?.options ?? [])].map((each) => each.value);
    const fitting = word === undefined ? [] : names.filter((name) => name.toLowerCase().startsWith(word.toLowerCase()));
    close();
    if (!fitting.length || fitting.includes(word)) return;
    list = document.createElement("ul");
    list.className = "calls";
    list.id = `${field.id}-calls`;
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Members");
    fitting.slice(0, 8).forEach((name, at) => {
      const option = document.createElement("li");
      option.id = `${field.id}-call-${at}`;
      option.setAttribute("role", "option");
      option.textContent = name;
      list.append(option);
    });
    field.after(list);
    list.style.top = `${field.offsetTop + field.offsetHeight + 2}px`;
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-controls", list.id);
    select(list.firstElementChild);
  };
  document.addEventListener("input", (event) => {
    if (!event.target.matches("textarea[data-calls]")) return;
    field = event.target;
    offer();
  });
  // The caret went away from the name.
  document.addEventListener("selectionchange", () => { if (list && begun() === undefined) close(); });
  document.addEventListener("focusout", () => setTimeout(() => { if (list && document.activeElement !== field) close(); }));
  document.addEventListener("pointerdown", (event) => {
    const option = event.target.closest(".calls li");
    if (!option) return;
    event.preventDefault();
    take(option.textContent);
  });
  document.addEventListener("keydown", (event) => {
    if (!list || event.target !== field) return;
    const now = list.querySelector("[aria-selected=true]");
    if (event.key === "ArrowDown") select(now.nextElementSibling ?? list.firstElementChild);
    else if (event.key === "ArrowUp") select(now.previousElementSibling ?? list.lastElementChild);
    else if (event.key === "Enter" || event.key === "Tab") take(now.textContent);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  });
})();
