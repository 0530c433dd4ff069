/* The wheel with Ctrl, or two fingers on a pad, make the diagram larger and smaller. To draw it anew takes several frames: so
   what is drawn is stretched until the wheel is still, and its letters are sharp again only then. */
(() => {
  "use strict";
  const STILL = 120; // Milliseconds after the last turn.
  const GROWS = 300; // Pixels of a wheel that make it e times as large.

  const { diagramView: view, diagramPlace: { within } } = window.Keywright;
  let turned = null; // What the wheel asks of the next frame: {x, y, by}.
  let held = null; // While it turns: {sheet, frame, around, drawn, now, timer}; `drawn` and `now` are {scale, left, top}.

  const where = () => ({ scale: view.scale, ...view.corner });
  const begin = () => {
    const { sheet, picture } = view;
    const { left, top } = sheet.getBoundingClientRect();
    held = { sheet, frame: picture.parentElement, around: { left, top, width: sheet.clientWidth, height: sheet.clientHeight }, drawn: where(), now: where(), timer: 0 };
  };
  const stretch = () => {
    const { sheet, frame, drawn, now } = held;
    if (!sheet.classList.contains("is-stretched")) {
      // A picture that is stretched to less would let the sheet scroll less far.
      sheet.style.setProperty("--held-width", `${sheet.scrollWidth}px`);
      sheet.style.setProperty("--held-height", `${sheet.scrollHeight}px`);
      sheet.classList.add("is-stretched");
    }
    const by = now.scale / drawn.scale;
    frame.style.transform = `translate(${now.left - drawn.left}px, ${now.top - drawn.top}px) scale(${by})`;
  };
  const draw = () => {
    const { sheet, frame, now } = held;
    sheet.classList.remove("is-stretched");
    frame.style.removeProperty("transform");
    view.draw(now);
  };
  const settle = () => {
    if (!held) return;
    clearTimeout(held.timer);
    if (held.now !== held.drawn) draw();
    held = null;
  };
  const turn = () => {
    const { x, y, by } = turned;
    turned = null;
    if (!view.picture) return;
    if (!held) begin();
    const { around, now } = held;
    const scale = view.bounded(now.scale * Math.exp(-by / GROWS));
    const grown = scale / now.scale;
    const { width, height } = view.shown;
    const [right, down] = [x - around.left, y - around.top]; // The point that stays where it is.
    const left = within(right - (right - now.left) * grown, width * scale, around.width);
    const top = within(down - (down - now.top) * grown, height * scale, around.height);
    held.now = { scale, left, top };
    stretch();
    clearTimeout(held.timer);
    held.timer = setTimeout(settle, STILL);
  };
  document.addEventListener("wheel", (event) => {
    if (!view.picture || !view.sheet.contains(event.target)) return;
    if (!(event.ctrlKey || event.metaKey)) {
      settle();
      return;
    }
    event.preventDefault();
    // A wheel tells of itself several times a frame.
    if (!turned) requestAnimationFrame(turn);
    turned = { x: event.clientX, y: event.clientY, by: (turned?.by ?? 0) + event.deltaY };
  }, { passive: false });
  // Whatever else is done finds it drawn.
  for (const kind of ["pointerdown", "click", "htmx:oobBeforeSwap"]) document.addEventListener(kind, settle, true);
  document.addEventListener("htmx:beforeSwap", ({ detail }) => { if (detail.shouldSwap) settle(); }, true);
  document.addEventListener("keydown", ({ key }) => { if (key !== "Control" && key !== "Meta") settle(); }, true);
})();
