/* How large the diagram is shown in its sheet, and what of it: `diagramView`, for diagram.js and diagram-wheel.js. */
(() => {
  "use strict";
  const LEGIBLE = 0.8;
  const FAR_OFF = 0.55; // Smaller than this, attributes are too small to be read: the names alone are drawn (diagram-names.js).
  const ALL_NAMED = 0.3; // Smaller than this, there is no room for whole names.
  const SIZES = [0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75, 0.9, 1, 1.25, 1.5, 2, 2.5];

  const { corner, place, placeWithin } = window.Keywright.diagramPlace;
  const sheet = () => document.getElementById("diagram-sheet");
  const picture = () => sheet()?.querySelector(".er");
  const say = (text) => {
    const status = document.getElementById("status");
    if (status) status.textContent = text;
  };
  let scale = 0; // 0: not shown yet.
  let shown = null; // What of the plane the picture shows: {x, y, width, height}.
  let isFitted = false; // All of it is to be seen, however large the sheet is.

  const fitting = () => {
    const { clientWidth, clientHeight } = sheet();
    return Math.min(1, (clientWidth - 2) / shown.width, (clientHeight - 2) / shown.height);
  };
  /* No smaller than the smallest size, but where only a smaller one shows all of it. */
  const bounded = (next) => Math.min(Math.max(next, Math.min(SIZES[0], fitting())), SIZES.at(-1));
  const size = (next) => {
    scale = next;
    sheet().style.setProperty("--diagram-width", `${Math.round(shown.width * scale)}px`);
    sheet().style.setProperty("--diagram-height", `${Math.round(shown.height * scale)}px`);
    sheet().classList.toggle("is-far", scale < FAR_OFF);
    window.Keywright.nameBoxes(picture(), scale < FAR_OFF ? scale : 0);
  };
  const show = (left, top) => placeWithin(sheet(), left, top, shown.width * scale, shown.height * scale);
  /* What is in the middle stays there. */
  const zoom = (next) => {
    const [right, down] = [sheet().clientWidth / 2, sheet().clientHeight / 2];
    const { left, top } = corner(sheet());
    const before = scale;
    isFitted = false;
    size(bounded(next));
    show(right - ((right - left) * scale) / before, down - ((down - top) * scale) / before);
  };
  const step = (by) => {
    const next = by > 0 ? SIZES.find((each) => each > scale + 0.01) : SIZES.findLast((each) => each < scale - 0.01);
    if (next !== undefined) zoom(next);
    say(`${Math.round(scale * 100)} %`);
  };
  const showAll = () => {
    isFitted = true;
    size(fitting());
    show(0, 0);
  };
  const fit = () => {
    showAll();
    say(`All of the diagram, ${Math.round(scale * 100)} %`);
  };
  /* A picture that is much larger than its sheet begins at a box: its corner may be empty. */
  const beginAt = (box) => {
    const at = box?.querySelector(".er-box");
    const { x, y, width, height } = at ? { x: at.x.baseVal.value, y: at.y.baseVal.value, width: at.width.baseVal.value, height: at.height.baseVal.value } : shown;
    const { clientWidth, clientHeight } = sheet();
    show(clientWidth / 2 - (x - shown.x + width / 2) * scale, clientHeight / 2 - (y - shown.y + height / 2) * scale);
  };

  /* A sheet that became larger or smaller, as its window did: what was fitted is fitted again, and otherwise what is in the
     middle stays there. */
  let room = null; // How large the sheet was, and where the picture's corner: {sheet, width, height, at}.
  const measured = () => ({ sheet: sheet(), width: sheet().offsetWidth, height: sheet().offsetHeight });
  const watcher = new ResizeObserver(() => {
    if (!picture() || room.sheet !== sheet()) return;
    const before = room;
    const now = measured();
    if (!now.width || (now.width === before.width && now.height === before.height)) return;
    room = now;
    const { left, top } = before.at ?? corner(sheet()); // By now a larger sheet may have scrolled less far.
    if (isFitted) showAll();
    else show(left + (now.width - before.width) / 2, top + (now.height - before.height) / 2);
    room.at = corner(sheet());
  });
  document.addEventListener("scroll", ({ target }) => {
    const isAsItWas = target === room?.sheet && target.offsetWidth === room.width && target.offsetHeight === room.height;
    if (isAsItWas) room.at = corner(target);
  }, true);
  const watch = () => {
    if (room?.sheet === sheet()) return;
    watcher.disconnect();
    room = measured();
    watcher.observe(sheet(), { box: "border-box" }); // Bars within it are no other size.
  };

  /* Whatever drew the picture anew: what one looked at stays where it was. */
  const adopt = () => {
    if (!picture()) {
      scale = 0;
      return;
    }
    watch();
    const { x, y, width, height } = picture().viewBox.baseVal;
    const before = shown;
    shown = { x, y, width, height };
    if (scale) {
      const { left, top } = corner(sheet());
      size(bounded(scale));
      place(sheet(), left + (x - before.x) * scale, top + (y - before.y) * scale);
    } else {
      isFitted = fitting() >= ALL_NAMED;
      size(isFitted ? fitting() : LEGIBLE);
      beginAt(picture().querySelector(".er-entity.is-asked") ?? picture().querySelector(".er-entity"));
    }
  };
  const diagramView = {
    get sheet() { return sheet(); },
    get picture() { return picture(); },
    get shown() { return shown; },
    get scale() { return scale; },
    get corner() { return corner(sheet()); },
    adopt,
    bounded,
    /* `at.scale` is bounded already: to bound it would measure the sheet, and lay out the picture once more. */
    draw: (at) => {
      isFitted = false;
      size(at.scale);
      place(sheet(), at.left, at.top);
    },
    fit,
    step,
  };
  window.Keywright = { ...window.Keywright, diagramView };
})();
