/* What every htmx request does here: it marks its target busy, keeps the caret where someone types, and says so in
   the one status region when it fails. */
(() => {
  "use strict";
  if (window.Idiomorph) window.Idiomorph.defaults.ignoreActiveValue = true;

  const say = (text) => {
    const status = document.getElementById("status");
    // What is said already is not read out again.
    if (status && status.textContent !== text) status.textContent = text;
  };
  const busy = (event, is) => {
    // Asking again and again whether there is a plan, or something new, is no work to wait for.
    if (event.detail.elt.matches("[data-planning], #news")) return;
    const target = event.detail.target;
    if (target && target.setAttribute) target.setAttribute("aria-busy", String(is));
  };
  document.addEventListener("htmx:beforeRequest", (event) => busy(event, true));
  document.addEventListener("htmx:afterRequest", (event) => busy(event, false));
  document.addEventListener("htmx:sendError", () => say("The server cannot be reached. What you typed is still here; try again."));
  document.addEventListener("htmx:responseError", (event) => {
    const status = event.detail.xhr.status;
    say(status === 403 || status === 404
      ? "This design is not open to you any more. Reload the page."
      : "That did not work, and nothing was changed. Try again.");
  });
})();
