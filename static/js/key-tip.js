/* [data-explains="ID ..."]: a key, told about in #key-tip by the texts with these ids, after [data-says]. It is told to
   whoever points at it, comes to it with the keyboard, or taps it; Escape and a tap elsewhere end that. Each table is one
   stop of Tab: from its first key the arrows lead to the others. */
(() => {
  "use strict";
  const tip = document.getElementById("key-tip");
  if (!tip?.showPopover) return;
  const AFTER = 200;
  let about = null;
  let waiting = 0;

  const line = (source, name) => {
    const made = document.createElement("p");
    if (name) made.className = name;
    made.append(...(typeof source === "string" ? [source] : source.cloneNode(true).childNodes));
    return made;
  };
  const place = (cell) => {
    const box = (cell.querySelector(".grid-key, .grid-value") ?? cell).getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = tip;
    const below = box.bottom + 6;
    const left = Math.max(8, Math.min(box.left, innerWidth - width - 8));
    const top = below + height > innerHeight - 8 ? Math.max(8, box.top - height - 6) : below;
    tip.style.left = `${left}px`;
    tip.style.top = `${top}px`;
  };
  const hide = () => {
    clearTimeout(waiting);
    about?.removeAttribute("aria-describedby");
    about = null;
    if (tip.matches(":popover-open")) tip.hidePopover();
  };
  const show = (cell) => {
    clearTimeout(waiting);
    if (cell === about) return;
    hide();
    const texts = cell.dataset.explains.split(" ").map((id) => document.getElementById(id)).filter(Boolean);
    if (!texts.length) return;
    about = cell;
    tip.replaceChildren(...(cell.dataset.says ? [line(cell.dataset.says, "key-says")] : []), ...texts.map((text) => line(text)));
    cell.setAttribute("aria-describedby", tip.id);
    tip.showPopover();
    place(cell);
  };

  const keyOf = (event) => event.target.closest?.("[data-explains]");
  // What comes under a pointer that rests is not pointed at: the page has moved, or what stood over it is gone.
  let rests = [];
  document.addEventListener("pointermove", ({ screenX, screenY }) => { rests = [screenX, screenY]; });
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse" || (event.screenX === rests[0] && event.screenY === rests[1])) return;
    clearTimeout(waiting);
    const cell = keyOf(event);
    if (cell) waiting = setTimeout(() => show(cell), AFTER);
    else if (about && !tip.contains(event.target) && about !== document.activeElement) waiting = setTimeout(hide, AFTER);
  });
  document.addEventListener("focusin", (event) => {
    const cell = keyOf(event);
    if (cell?.matches(":focus-visible")) show(cell);
    else if (about && !cell) hide();
  });
  document.addEventListener("click", (event) => {
    const cell = keyOf(event);
    if (cell) show(cell);
    else if (!tip.contains(event.target)) hide();
  });
  // Where the focus comes to, the browser scrolls.
  document.addEventListener("scroll", () => {
    if (about && about === document.activeElement) place(about);
    else if (about) hide();
  }, true);

  // One stop of Tab for each table. ------------------------------------------------------------------------------------
  const keysOf = (table) => [...table.querySelectorAll("[data-explains]")];
  const ready = () => {
    if (about && !about.isConnected) hide();
    for (const table of document.querySelectorAll("table.grid")) {
      if (!table.querySelector("[data-explains][tabindex='0']")) table.querySelector("[data-explains]")?.setAttribute("tabindex", "0");
    }
  };
  const rowOf = (cell) => cell.closest("tr");
  const next = (cell, key) => {
    const all = keysOf(cell.closest("table"));
    const at = all.indexOf(cell);
    if (key === "ArrowRight") return all[at + 1];
    if (key === "ArrowLeft") return all[at - 1];
    const isDown = key === "ArrowDown";
    const beyond = isDown ? all.slice(at + 1) : all.slice(0, at).reverse();
    const kind = (each) => each.closest("th, td").className.split(" ")[0];
    return beyond.find((each) => rowOf(each) !== rowOf(cell) && kind(each) === kind(cell));
  };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && about) {
      hide();
      event.preventDefault();
      return;
    }
    const cell = event.target.matches?.("[data-explains]") ? event.target : null;
    if (!cell || !event.key.startsWith("Arrow") || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = next(cell, event.key);
    event.preventDefault();
    if (!to) return;
    cell.setAttribute("tabindex", "-1");
    to.setAttribute("tabindex", "0");
    to.focus();
    show(to);
  }, true);
  ready();
  document.addEventListener("htmx:afterSettle", ready);
})();
