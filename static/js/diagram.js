/* The diagram that one works in. A box is dragged, or moved by the arrows; where it stands is kept by its data-move. A
   relationship is drawn from the dot of a box, by r, or by the button, and opens its form filled in. F2, or two clicks on
   its name, rename an entity; e, or two clicks on the ground, add one. +, - and 0 make the picture larger, smaller, fit
   (diagram-size.js).
   What is asked of the server goes through #diagram, one after the other. Whoever may only look has the sizes alone. */
(() => {
  "use strict";
  const STEP = 8;
  const FAR = 40;
  const SLACK = 4; // Pixels that a hand trembles.
  const EDGE = 28; // Where a drag scrolls.
  const QUIET = 450; // Milliseconds after the last arrow until the place is kept.
  const TWICE = 260; // Milliseconds in which a second click comes.

  const { diagramView: view } = window.Keywright;
  const root = () => document.getElementById("diagram");
  const sheet = () => view.sheet;
  const picture = () => view.picture;
  const keyOf = (box) => box.dataset.entity;
  const boxOf = (key) => sheet()?.querySelector(`.er-entity[data-entity="${CSS.escape(key)}"]`);
  const boxAt = (element) => element?.closest?.("#diagram .er-entity") ?? null;
  const may = () => root()?.dataset.add !== undefined;
  const say = (text) => {
    const status = document.getElementById("status");
    if (status) status.textContent = text;
  };

  /* The answer to a move holds only what is drawn differently since: it goes into its places. */
  const redraw = () => {
    const drawn = document.querySelector("#diagram-redrawn > svg");
    if (!drawn || !picture()) return;
    for (const name of ["width", "height", "viewBox"]) {
      const value = drawn.getAttribute(name);
      if (picture().getAttribute(name) !== value) picture().setAttribute(name, value);
    }
    const order = drawn.dataset.lines.split(" ").filter(Boolean);
    const parts = [...drawn.children];
    const lineOf = new Map([...picture().querySelectorAll(".er-edge"), ...parts].map((part) => [part.dataset.line, part]));
    for (const part of parts) {
      if (part.dataset.entity) boxOf(part.dataset.entity)?.replaceWith(part);
      else picture().querySelector(`.er-edge[data-line="${CSS.escape(part.dataset.line)}"]`)?.remove();
    }
    // From the last to the first: those that stay are in order already, and are not touched.
    let next = picture().querySelector(".er-entity");
    for (const line of order.reverse().map((each) => lineOf.get(each))) {
      if (line.nextElementSibling !== next || line.parentElement !== picture()) next.before(line);
      next = line;
    }
    for (const part of parts) window.htmx.process(part);
    drawn.remove();
  };
  /* Whatever drew the picture anew: what one looked at stays where it was, and what is under way goes on. */
  const adopt = () => {
    view.adopt();
    if (!picture()) return;
    for (const [key, { at }] of wanted) put(key, at);
    if (drawing) draw();
  };

  // Where the boxes are. -----------------------------------------------------------------------------------------------
  const wanted = new Map(); // By key, where a box is to stand while the server does not say so: {at, sent, path, timer}.
  const lines = new Map(); // Lines under way, and how the server drew them.
  const frame = (box) => {
    const { x, y, width, height } = box.querySelector(".er-box");
    return { x: x.baseVal.value, y: y.baseVal.value, width: width.baseVal.value, height: height.baseVal.value };
  };
  const placed = (key) => {
    const drawn = frame(boxOf(key));
    return { ...drawn, ...wanted.get(key)?.at };
  };
  const put = (key, at) => {
    const box = boxOf(key);
    if (!box) return;
    const drawn = frame(box);
    const [dx, dy] = [at.x - drawn.x, at.y - drawn.y];
    if (!dx && !dy) {
      box.removeAttribute("transform");
      return;
    }
    box.setAttribute("transform", `translate(${dx} ${dy})`);
    for (const line of sheet().querySelectorAll(`.er-edge:is([data-parent="${CSS.escape(key)}"], [data-child="${CSS.escape(key)}"])`)) bend(line);
  };
  const bend = (line) => {
    const path = line.querySelector(".er-line");
    if (!lines.has(path)) lines.set(path, path.getAttribute("d"));
    line.classList.add("is-moving");
    const { parent, child } = line.dataset;
    if (parent !== child) path.setAttribute("d", window.Keywright.lineBetween(placed(parent), placed(child)));
    else {
      const { x, y } = wanted.get(parent).at;
      const drawn = frame(boxOf(parent));
      path.setAttribute("transform", `translate(${x - drawn.x} ${y - drawn.y})`);
    }
  };
  const move = (key, at) => {
    const each = wanted.get(key) ?? { sent: 0, path: "" };
    clearTimeout(each.timer);
    wanted.set(key, Object.assign(each, { at, timer: 0 }));
    put(key, at);
  };
  const ask = (path, values = {}) => {
    window.htmx.ajax("POST", path, { source: "#diagram", target: "#results", swap: "morph:innerHTML", values });
  };
  const keep = (key) => {
    const each = wanted.get(key);
    const path = boxOf(key)?.dataset.move;
    clearTimeout(each?.timer);
    if (!each || !path) {
      forget(key);
      return;
    }
    each.sent += 1;
    each.path = path;
    ask(path, { x: Math.round(each.at.x), y: Math.round(each.at.y) });
  };
  const forget = (key) => {
    clearTimeout(wanted.get(key)?.timer);
    wanted.delete(key);
    boxOf(key)?.removeAttribute("transform");
    if (wanted.size) return;
    // Where the server has drawn nothing anew, nothing was kept.
    for (const [path, was] of lines) {
      if (!path.closest(".is-moving")) continue;
      path.setAttribute("d", was);
      path.removeAttribute("transform");
      path.closest(".er-edge").classList.remove("is-moving");
    }
    lines.clear();
  };
  document.addEventListener("htmx:afterRequest", (event) => {
    const path = event.detail.requestConfig?.path;
    if (event.detail.elt.id !== "diagram") return;
    for (const [key, each] of wanted) {
      if (each.path !== path) continue;
      each.sent -= 1;
      if (each.sent < 1 && !each.timer && held?.key !== key) forget(key);
    }
  });
  // What others did meanwhile waits until the hand is empty; the news tells it again.
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.requestConfig.elt.id === "news" && held?.isMoving && event.detail.target.id !== "news") event.detail.shouldSwap = false;
  });

  // By hand. -----------------------------------------------------------------------------------------------------------
  let held = null; // What the pointer holds: a box, the dot of a box, or the ground.
  let isDragged = false; // The click that ends a drag is none.
  let waits = false;
  const pointed = (event) => {
    const around = picture().getBoundingClientRect();
    const by = view.shown.width / around.width;
    return { x: (event.clientX - around.left) * by + view.shown.x, y: (event.clientY - around.top) * by + view.shown.y };
  };
  document.addEventListener("pointerdown", (event) => {
    isDragged = false;
    if (!picture() || event.button !== 0 || !event.isPrimary || !sheet().contains(event.target)) return;
    if (event.target.closest("#diagram-name")) return;
    const box = boxAt(event.target);
    const start = { id: event.pointerId, from: event, last: event, left: sheet().scrollLeft, top: sheet().scrollTop, isMoving: false };
    if (box && event.target.closest(".er-handle") && may()) held = { ...start, what: "dot", key: keyOf(box) };
    else if (box?.dataset.move) held = { ...start, what: "box", key: keyOf(box), base: placed(keyOf(box)) };
    else if (event.pointerType === "mouse" && !drawing) held = { ...start, what: "ground" };
  });
  document.addEventListener("pointermove", (event) => {
    if (drawing?.from && !held) drawing.at = event;
    if (held?.id === event.pointerId) {
      held.last = event;
      const far = Math.hypot(event.clientX - held.from.clientX, event.clientY - held.from.clientY);
      if (!held.isMoving && far > SLACK) {
        held.isMoving = true;
        sheet().classList.add("is-held");
        if (held.what === "box") boxOf(held.key).classList.add("is-held");
        sheet().setPointerCapture(event.pointerId);
        if (held.what === "dot") begin(held.key);
      }
    }
    if ((held?.isMoving || drawing?.from) && !waits) {
      waits = true;
      requestAnimationFrame(follow);
    }
  });
  const follow = () => {
    waits = false;
    if (!picture()) return;
    if (held?.isMoving) {
      const { last, from, left, top, base } = held;
      if (held.what === "ground") sheet().scrollTo(left + from.clientX - last.clientX, top + from.clientY - last.clientY);
      else {
        const scrolled = scroll(last);
        if (held.what === "box") {
          const dx = last.clientX - from.clientX + sheet().scrollLeft - left;
          const dy = last.clientY - from.clientY + sheet().scrollTop - top;
          move(held.key, { x: base.x + dx / view.scale, y: base.y + dy / view.scale });
        }
        if (scrolled) {
          waits = true;
          requestAnimationFrame(follow);
        }
      }
      if (drawing) drawing.at = last;
    }
    if (drawing) draw();
  };
  const scroll = ({ clientX, clientY }) => {
    const { left, right, top, bottom } = sheet().getBoundingClientRect();
    const way = (at, low, high) => (at < low + EDGE ? -STEP : at > high - EDGE ? STEP : 0);
    const before = [sheet().scrollLeft, sheet().scrollTop];
    sheet().scrollBy(way(clientX, left, right), way(clientY, top, bottom));
    return before[0] !== sheet().scrollLeft || before[1] !== sheet().scrollTop;
  };
  const drop = (event) => {
    if (held?.id !== event.pointerId) return;
    const { what, key, isMoving } = held;
    const isOver = event.type === "pointercancel";
    if (isMoving && what === "box") held.last = event;
    if (isMoving && what === "box" && !isOver) follow();
    held = null;
    for (const each of document.querySelectorAll("#diagram .is-held")) each.classList.remove("is-held");
    isDragged = isMoving;
    if (what === "dot" && !isOver) {
      const to = isMoving ? boxAt(document.elementFromPoint(event.clientX, event.clientY)) : null;
      if (!isMoving) begin(key);
      else if (to && keyOf(to) !== key) finish(to);
      else end();
    } else if (what === "dot") end();
    else if (what === "box" && isMoving) isOver ? forget(key) : keep(key);
  };
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", drop);
  document.addEventListener("dragstart", (event) => { if (boxAt(event.target)) event.preventDefault(); });

  // Relationships. -----------------------------------------------------------------------------------------------------
  let drawing = null; // {from: the key of the one side or "", at: where the pointer is}.
  const hint = (text) => {
    const line = document.getElementById("diagram-hint");
    if (line) line.textContent = text;
    say(text);
  };
  const begin = (key = "") => {
    drawing = { from: key, at: null };
    const name = key && boxOf(key).dataset.name;
    draw();
    hint(name ? `A relationship of ${name}: pick the entity of which it has many.` : "A relationship: pick the one side, then the many side.");
  };
  const end = () => {
    if (!drawing) return;
    drawing = null;
    draw();
    hint("");
  };
  const draw = () => {
    root()?.classList.toggle("is-drawing", drawing !== null);
    root()?.querySelector("[data-diagram='draw']")?.setAttribute("aria-pressed", String(drawing !== null));
    const from = drawing?.from ? boxOf(drawing.from) : null;
    for (const box of sheet()?.querySelectorAll(".er-entity.is-from") ?? []) if (box !== from) box.classList.remove("is-from");
    from?.classList.add("is-from");
    let rubber = picture()?.querySelector(".er-rubber");
    if (!from || !drawing.at) {
      rubber?.remove();
      return;
    }
    if (!rubber) {
      rubber = document.createElementNS("http://www.w3.org/2000/svg", "path");
      rubber.setAttribute("class", "er-rubber");
      picture().append(rubber);
    }
    const { x, y } = pointed(drawing.at);
    rubber.setAttribute("d", window.Keywright.lineBetween(placed(drawing.from), { x, y, width: 0, height: 0 }));
  };
  const finish = (box) => {
    const first = boxOf(drawing.from)?.dataset.name;
    end();
    const link = document.getElementById("diagram-to");
    if (!first || !link) return;
    const { draw: path, query } = root().dataset;
    const both = new URLSearchParams(query);
    both.set("first", first);
    both.set("second", box.dataset.name);
    link.setAttribute("href", `${path}?${both}`);
    link.setAttribute("hx-get", `${path}?${both}`);
    window.htmx.process(link);
    link.click();
  };
  const pick = (box) => (drawing.from ? finish(box) : begin(keyOf(box)));

  // Names. -------------------------------------------------------------------------------------------------------------
  let naming = null; // {path, values, box: its key, was, left, top}, and where it was refused what was typed.
  let sent = null; // The same with what was typed, until the server has answered.
  let sought = ""; // The name of a box that is to have the focus once it is there.
  const name = (next, left, top) => {
    const form = document.getElementById("diagram-name");
    if (!form) return;
    naming = { ...next, left, top };
    form.hidden = false;
    form.style.left = `${Math.max(left, sheet().scrollLeft + 4)}px`;
    form.style.top = `${Math.max(top, sheet().scrollTop + 4)}px`;
    form.elements.name.value = next.typed ?? next.was;
    form.elements.name.setAttribute("aria-invalid", String(next.typed !== undefined));
    form.elements.name.setAttribute("aria-label", next.label);
    form.elements.name.placeholder = next.placeholder;
    form.elements.name.focus();
    form.elements.name.select();
  };
  const seenAt = ({ x, y }) => [(x - view.shown.x) * view.scale, (y - view.shown.y) * view.scale];
  const rename = (box) => {
    const [left, top] = seenAt(placed(keyOf(box)));
    const { name: was, rename: path } = box.dataset;
    const asked = { path, values: {}, box: keyOf(box), was, label: `New name of ${was}`, placeholder: "" };
    name(asked, left + 4, top);
  };
  const add = (at = null) => {
    const values = at && picture() ? { x: Math.round(at.x), y: Math.round(at.y) } : {};
    const [left, top] = at && picture() ? seenAt(at) : [sheet().scrollLeft + 12, sheet().scrollTop + 12];
    const label = "Name of the new entity";
    name({ path: root().dataset.add, values, box: "", was: "", label, placeholder: "Order: orderId, total, placedAt" }, left, top);
  };
  const named = (isTaken) => {
    const form = document.getElementById("diagram-name");
    if (!naming || !form) return;
    const { path, values, box, was, typed } = naming;
    const value = form.elements.name.value.trim();
    const last = naming;
    naming = null;
    form.hidden = true;
    // Whoever goes elsewhere from a name that was refused gives it up.
    const isChanged = isTaken && value && value !== was && (isTaken === "by hand" || value !== typed);
    if (isChanged) {
      sent = { ...last, typed: value };
      sought = box ? "" : value.split(":")[0].replaceAll(/\s/g, "").toLowerCase(); // A name of several words is made one.
      ask(path, { ...values, name: value });
    }
    if (box) boxOf(box)?.focus({ preventScroll: true });
    else if (document.activeElement === document.body) sheet().focus({ preventScroll: true });
  };
  document.addEventListener("submit", (event) => {
    if (event.target.id !== "diagram-name") return;
    event.preventDefault();
    named("by hand");
  });
  // A name that is refused is kept where it was typed, to be mended.
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt.id !== "diagram" || event.detail.requestConfig?.path !== sent?.path) return;
    const last = sent;
    sent = null;
    const { status } = event.detail.xhr;
    if (status < 200 || status > 399) setTimeout(() => { if (!naming && sheet()) name(last, last.left, last.top); });
  });
  document.addEventListener("focusout", (event) => {
    if (event.target.closest?.("#diagram-name") && naming) named(Boolean(naming.box));
  });
  document.addEventListener("htmx:afterSettle", () => {
    const box = sought && [...(sheet()?.querySelectorAll(".er-entity") ?? [])].find((each) => each.dataset.name.toLowerCase() === sought);
    if (!box) return;
    sought = "";
    box.focus({ preventScroll: true });
    box.scrollIntoView({ block: "nearest", inline: "nearest" });
  });

  // Clicks and keys. ---------------------------------------------------------------------------------------------------
  let clicks = 0;
  document.addEventListener("click", (event) => {
    const box = boxAt(event.target);
    const isTool = root()?.contains(event.target) && !box;
    if (!box || (event.ctrlKey || event.metaKey || event.shiftKey)) {
      if (isDragged && isTool && event.isTrusted) stop(event);
      return;
    }
    if (isDragged || event.target.closest(".er-handle")) stop(event);
    else if (drawing) {
      stop(event);
      pick(box);
    } else if (box.dataset.rename && event.detail > 1) stop(event);
    else if (box.dataset.rename && event.detail === 1 && event.target.closest(".er-name")) {
      // A second click on the name would rename.
      stop(event);
      clearTimeout(clicks);
      clicks = setTimeout(() => box.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true })), TWICE);
    }
  }, true);
  const stop = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    isDragged = false;
  };
  document.addEventListener("dblclick", (event) => {
    if (!may() || !sheet()?.contains(event.target) || event.target.closest("#diagram-name, .er-edge")) return;
    clearTimeout(clicks);
    const box = boxAt(event.target);
    if (box && event.target.closest(".er-name")) rename(box);
    else if (!box && picture()) add(pointed(event));
  });
  const TOOLS = { add: () => add(), draw: () => (drawing ? end() : begin(keyOfFocus())), in: () => view.step(1), out: () => view.step(-1), fit: () => view.fit() };
  const keyOfFocus = () => boxAt(document.activeElement)?.dataset.entity ?? "";
  document.addEventListener("click", (event) => {
    const tool = TOOLS[event.target.closest?.("[data-diagram]")?.dataset.diagram];
    if (tool && (picture() || tool === TOOLS.add)) tool();
  });
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const nudge = (box, [right, down], far) => {
    const key = keyOf(box);
    const { x, y } = placed(key);
    const by = far ? FAR : STEP;
    move(key, { x: x + right * by, y: y + down * by });
    wanted.get(key).timer = setTimeout(() => {
      wanted.get(key).timer = 0;
      keep(key);
    }, QUIET);
    box.querySelector(".er-box").scrollIntoView({ block: "nearest", inline: "nearest" });
    say(`${box.dataset.name} at ${Math.round(x + right * by)}, ${Math.round(y + down * by)}`);
  };
  const SIZED = { "+": TOOLS.in, "=": TOOLS.in, "-": TOOLS.out, 0: TOOLS.fit };
  document.addEventListener("keydown", (event) => {
    const { key } = event;
    if (key === "Escape" && (naming || drawing)) {
      event.preventDefault();
      if (naming) named(false);
      else end();
      return;
    }
    if (event.altKey || event.ctrlKey || event.metaKey || !root()?.contains(event.target)) return;
    if (event.target.closest("input")) return;
    const box = boxAt(event.target);
    if (box?.dataset.move && ARROWS[key]) nudge(box, ARROWS[key], event.shiftKey);
    else if (box?.dataset.rename && key === "F2") rename(box);
    else if (SIZED[key] && picture()) SIZED[key]();
    else return;
    event.preventDefault();
  }, true);
  const inside = (act) => () => {
    if (!may() || !root().contains(document.activeElement)) return false;
    act();
    return true;
  };
  const letters = { e: inside(() => add()), r: inside(() => picture() && begin(keyOfFocus())) };
  window.Keywright = { ...window.Keywright, letters: { ...window.Keywright?.letters, ...letters } };

  // Idiomorph leaves alone what is inside the element that has the focus: so that goes out for a moment.
  let focused = "";
  document.addEventListener("htmx:beforeSwap", (event) => {
    const box = boxAt(document.activeElement);
    if (!event.detail.shouldSwap || !box) return;
    focused = keyOf(box);
    box.blur();
  });
  // Before whatever else follows from a swap, so that nothing jumps. htmx tells each of all elements that it brought.
  const adopted = new WeakSet();
  const isDrawnBy = (target) => !target?.isConnected || target.contains(root()) || target.id === "diagram-redrawn";
  document.addEventListener("htmx:afterSwap", ({ detail: { target, xhr } }) => {
    if (isDrawnBy(target) && !adopted.has(xhr)) {
      if (xhr) adopted.add(xhr);
      redraw();
      adopt();
    }
    if (focused && document.activeElement === document.body) boxOf(focused)?.focus({ preventScroll: true });
    focused = "";
  });
  document.addEventListener("htmx:oobAfterSwap", ({ target }) => { if (isDrawnBy(target)) adopt(); });
  document.addEventListener("htmx:configRequest", ({ detail: { elt, headers } }) => {
    if (elt.id === "diagram") headers["Keywright-Since"] = document.getElementById("news")?.dataset.since ?? "";
  });
  adopt();
})();
