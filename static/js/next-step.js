/* [data-later] beside the next step passes it over: the next that is listed below takes its place, after the last one the
   first again. What was passed over is kept for this design as long as the tab is open. */
(() => {
  "use strict";
  const KEY = `passed:${location.pathname.split("/").slice(0, 3).join("/")}`;
  let passed = new Set();
  try {
    passed = new Set(JSON.parse(sessionStorage.getItem(KEY) ?? "[]"));
  } catch {
    // Storage may be forbidden, and then it is kept for this page.
  }
  const keep = () => {
    try {
      sessionStorage.setItem(KEY, JSON.stringify([...passed]));
    } catch {
      // As above.
    }
  };
  // Without its numbers: of 4 entities without figures one may be done, and the rest was passed over.
  const named = (entry) => entry.textContent.replace(/\d[\d,]*/g, "#");
  const parts = () => {
    const line = document.querySelector(".guidance-next");
    const listed = [...document.querySelectorAll("#guidance-steps [data-gap]")];
    const first = listed.find((entry) => entry.dataset.gap === "next");
    return { line, later: line?.querySelector("[data-later]"), gaps: first ? [first, ...listed.filter((entry) => entry !== first)] : [] };
  };
  const show = () => {
    const { line, later, gaps } = parts();
    if (!later) return;
    later.hidden = gaps.length < 2;
    const next = gaps.find((entry) => !passed.has(named(entry))) ?? gaps[0];
    const shown = line.querySelector("[data-shown]");
    if (!next || shown.textContent === next.textContent) return;
    const copy = next.firstElementChild.cloneNode(true);
    shown.replaceChildren(copy);
    line.querySelector("[data-label]").textContent = next.dataset.finding ? "To solve next:" : "Next:";
    window.htmx?.process(copy);
  };
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-later]")) return;
    const { line, gaps } = parts();
    const left = gaps.filter((entry) => !passed.has(named(entry)));
    passed = left.length > 1 ? passed.add(named(left[0])) : new Set();
    keep();
    show();
    const status = document.getElementById("status");
    if (status) status.textContent = `Next: ${line.querySelector("[data-shown]").textContent}`;
  });
  show();
  document.addEventListener("htmx:afterSettle", show);
})();
