/* The tour of the first page: <dialog data-tour> with a [data-stop] for each stop, about what its data-at finds.
   [data-tour-start] begins it, and so does the address with #tour. The page stays usable meanwhile. Next and the arrows
   lead on, Escape and Skip end it; whoever ended it once is not offered it again for a year (the cookie `tour`). */
(() => {
  "use strict";
  const tour = document.querySelector("[data-tour]");
  if (!tour) return;
  const stops = [...tour.querySelectorAll("[data-stop]")];
  const [count, back, next, skip] = ["count", "back", "next", "skip"].map((name) => tour.querySelector(`[data-tour-${name}]`));
  const GAP = 12;
  let at = -1;
  let from = null; // What had the focus before.

  const about = () => {
    const found = at < 0 ? null : document.querySelector(stops[at].dataset.at);
    return found?.getClientRects().length ? found : null;
  };
  /* Beside or below what it is about where there is room for it, else in the corner; on a phone below all. */
  const place = () => {
    const shown = about();
    for (const each of document.querySelectorAll(".is-toured")) if (each !== shown) each.classList.remove("is-toured");
    shown?.classList.add("is-toured");
    tour.style.removeProperty("left");
    tour.style.removeProperty("top");
    if (!shown || matchMedia("(max-width: 900px)").matches) return;
    const box = shown.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = tour;
    const left = Math.max(GAP, Math.min(box.left, innerWidth - width - GAP));
    const places = [
      [left, box.bottom + GAP],
      [box.right + GAP, Math.max(GAP, Math.min(box.top, innerHeight - height - GAP))],
      [left, box.top - height - GAP],
    ];
    const fits = places.find(([x, y]) => y >= GAP && x + width <= innerWidth - GAP && y + height <= innerHeight - GAP);
    if (!fits) return;
    tour.style.left = `${fits[0]}px`;
    tour.style.top = `${fits[1]}px`;
  };
  const show = (stop) => {
    at = stop;
    for (const [number, each] of stops.entries()) each.hidden = number !== at;
    const title = stops[at].querySelector("h2");
    for (const each of stops) each.querySelector("h2").removeAttribute("id");
    title.id = "tour-title";
    title.tabIndex = -1;
    count.textContent = `${at + 1} of ${stops.length}`;
    back.hidden = at === 0;
    skip.hidden = at === stops.length - 1;
    next.textContent = skip.hidden ? "Done" : "Next";
    about()?.classList.add("is-toured"); // With room above it.
    about()?.scrollIntoView({ block: matchMedia("(max-width: 900px)").matches ? "start" : "nearest" });
    place();
    title.focus({ preventScroll: true }); // So that it is read out.
  };
  const begin = () => {
    from = document.activeElement;
    if (!tour.open) tour.show();
    show(0);
  };
  const end = () => {
    at = -1;
    tour.close();
    place();
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `tour=passed; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
    for (const each of document.querySelectorAll("[data-tour-start]")) each.hidden = true;
    const pattern = document.querySelector("[data-pattern][aria-current='true']");
    (from?.isConnected && from.getClientRects().length && from !== document.body ? from : pattern)?.focus({ preventScroll: true });
  };
  const step = (by) => {
    if (at + by >= stops.length) end();
    else if (at + by >= 0) show(at + by);
  };

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-tour-start]")) begin();
    else if (event.target.closest("[data-tour-next]")) step(1);
    else if (event.target.closest("[data-tour-back]")) step(-1);
    else if (event.target.closest("[data-tour-skip]")) end();
    else if (at === stops.length - 1 && about()?.contains(event.target)) end(); // Whoever does what it ends with has taken it.
  });
  document.addEventListener("keydown", (event) => {
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const isIn = tour.contains(event.target) || event.target === document.body;
    const isTitle = event.target.id === "tour-title";
    if (event.key === "Escape" && !document.querySelector("dialog:modal, #palette:popover-open")) end();
    else if (isIn && (event.key === "ArrowRight" || (isTitle && event.key === "Enter"))) step(1);
    else if (isIn && event.key === "ArrowLeft") step(-1);
    else return;
    event.preventDefault();
  });
  // Whatever is picked meanwhile is drawn anew, and the mark with it.
  document.addEventListener("htmx:afterSettle", () => { if (at >= 0) place(); });
  window.addEventListener("resize", () => { if (at >= 0) place(); });
  const asked = () => {
    if (location.hash !== "#tour") return;
    history.replaceState(history.state, "", location.pathname + location.search);
    begin();
  };
  window.addEventListener("hashchange", asked);
  asked();
})();
