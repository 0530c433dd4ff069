/* Single letters outside fields: j and k walk the links marked [data-pattern], and [data-key="t"] is pressed by t.
   Ctrl+Enter sends the form of a text of several lines, as Enter does that of one line. Ctrl+Z presses [data-key="undo"],
   Ctrl+Shift+Z and Ctrl+Y [data-key="redo"]; ? opens the list. Letters can be switched off (WCAG 2.1.4); the choice stays
   in this browser. A script that adds letters puts them into Keywright.letters. */
(() => {
  "use strict";
  const OFF = "keywright-shortcuts-off";
  const box = document.querySelector("[data-shortcuts-off]");
  if (box) {
    box.checked = localStorage.getItem(OFF) === "1";
    box.addEventListener("change", () => localStorage.setItem(OFF, box.checked ? "1" : "0"));
  }
  const typing = (element) =>
    element.closest("input, textarea, select, [contenteditable], dialog[open], #conflict") !== null;

  const press = (name) => {
    const element = document.querySelector(`[data-key="${name}"]`);
    if (!element || element.disabled) return false;
    element.click();
    return true;
  };
  const walk = (by) => {
    const patterns = [...document.querySelectorAll("li:not([hidden]) > [data-pattern]")];
    if (!patterns.length) return false;
    const at = patterns.findIndex((pattern) => pattern.getAttribute("aria-current") === "true");
    const next = at < 0 ? (by > 0 ? 0 : patterns.length - 1) : (at + by + patterns.length) % patterns.length;
    patterns[next].focus();
    patterns[next].click();
    return true;
  };

  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, isComposing, defaultPrevented } = event;
    if (key !== "Enter" || !(ctrlKey || metaKey) || isComposing || defaultPrevented || !target.matches("form textarea")) return;
    event.preventDefault();
    target.blur(); // What was typed is a change now, as it is where a button is pressed, and not after the answer.
    if (target.form.matches("[data-saves]")) target.focus();
    else target.form.requestSubmit(target.form.querySelector("button:not([type='button'], [type='reset'], :disabled)"));
  });
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || typing(event.target)) return;
    const key = event.key.toLowerCase();
    let done = false;
    if (event.ctrlKey || event.metaKey) {
      if (key === "z") done = press(event.shiftKey ? "redo" : "undo");
      else if (key === "y") done = press("redo");
    } else if (localStorage.getItem(OFF) !== "1") {
      if (key === "j") done = walk(1);
      else if (key === "k") done = walk(-1);
      else if (key === "?") {
        document.getElementById("shortcuts")?.showModal();
        done = true;
      } else if (/^[a-z]$/.test(key)) done = window.Keywright?.letters?.[key]?.() || press(key);
    }
    if (done) event.preventDefault();
  });
})();
