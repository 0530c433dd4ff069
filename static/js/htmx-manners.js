/* What every htmx request does here: it marks its target busy, keeps the caret where someone types, and says so in
   the one status region when it fails. */
(() => {
  "use strict";
  if (window.Idiomorph) window.Idiomorph.defaults.ignoreActiveValue = true;

  const say = (text) => {
    const status = document.getElementById("status");
    // What was said of a save is for screen readers alone; this is for everybody.
    status?.classList.remove("sr");
    // What is said already is not read out again.
    if (status && status.textContent !== text) status.textContent = text;
  };
  // Of what belongs to no form nothing was typed.
  const stillHere = (elt) => (elt.form ?? elt.closest("form") ? " What you typed is still here." : "");
  const busy = (event, is) => {
    // Asking again and again whether there is a plan, or something new, is no work to wait for.
    if (event.detail.elt.matches("[data-planning], #news")) return;
    const { target } = event.detail.requestConfig; // The answer may name another one.
    if (target && target.setAttribute) target.setAttribute("aria-busy", String(is));
  };
  document.addEventListener("htmx:beforeRequest", (event) => busy(event, true));
  document.addEventListener("htmx:afterRequest", (event) => busy(event, false));
  const previewAgain = (elt, xhr) => {
    // Too much at once, from everybody behind this address: what is typed is seen in the grid a little later.
    const seconds = Number(xhr.getResponseHeader("Retry-After"));
    if (!elt.matches("form [data-preview]") || !(seconds > 0 && seconds <= 10)) return false;
    setTimeout(() => elt.closest("form")?.dispatchEvent(new Event("input", { bubbles: true })), seconds * 1000);
    return true;
  };

  // Nobody answered: a machine ended in the middle of it, or the site starts again. What was sent may be saved or not. A
  // form that saves by itself also sends what stood there before, so that it is sent again without harm, a few times.
  // What asks every few seconds goes on by itself.
  const PAUSES = [1, 2, 4, 8, 16].map((seconds) => seconds * 1000);
  const unanswered = new WeakMap(); // How often in a row, by what asked.
  let saidOfNobody = "";
  const sendAgain = (id, kind) => document.getElementById(id)?.dispatchEvent(new Event(kind, { bubbles: true }));
  const onNobody = ({ elt, requestConfig }, mayAsk = true) => {
    const tries = unanswered.get(elt) ?? 0;
    unanswered.set(elt, tries + 1);
    if (elt.matches("[data-planning], #news, #shared-news") && tries < 2) return;
    const isPreview = elt.matches("form [data-preview]");
    const form = isPreview || elt.matches("form[data-saves]") ? elt.closest("form") : null;
    const pause = form && mayAsk ? PAUSES[tries] : undefined;
    if (pause) setTimeout(sendAgain, pause, form.id, isPreview ? "input" : "change");
    if (pause) saidOfNobody = "The site does not answer. What you typed is still here, and is sent again in a moment.";
    else if (requestConfig.verb === "get" || isPreview) saidOfNobody = `The site does not answer.${stillHere(elt)} Try again.`;
    else saidOfNobody = `The site did not answer, so this may or may not have been saved.${stillHere(elt)} Check before you try again.`;
    say(saidOfNobody);
  };
  document.addEventListener("htmx:sendError", (event) => onNobody(event.detail));
  document.addEventListener("htmx:afterRequest", ({ detail: { elt, successful } }) => {
    if (!successful) return;
    unanswered.delete(elt);
    const status = document.getElementById("status");
    if (saidOfNobody && status?.textContent === saidOfNobody) status.textContent = "";
    saidOfNobody = "";
  });

  document.addEventListener("htmx:responseError", (event) => {
    const { elt, xhr } = event.detail;
    // Of a proxy. What took too long (504) would again.
    if (xhr.status === 502 || xhr.status === 504) {
      onNobody(event.detail, xhr.status === 502);
      return;
    }
    if (xhr.status === 429 && previewAgain(elt, xhr)) return;
    // Why somebody may not do this comes as a sentence (designer.views.denied); a page that is too old gets another page.
    const isSentence = xhr.getResponseHeader("Content-Type")?.startsWith("text/plain");
    if (xhr.status === 404 && document.getElementById("shared-news")) {
      // A link that ended answers as one that never was. What it showed stays, and asks for news no more.
      const isOver = elt.id === "shared-news";
      if (isOver) elt.replaceWith(elt.cloneNode());
      say(isOver ? "This link was revoked or has expired. Ask whoever sent it for another." : "This link no longer shows that.");
    } else if (xhr.status === 404) say("You no longer have access to this design. Reload the page.");
    else if (xhr.status === 429 && isSentence) say(`${xhr.responseText}${stillHere(elt)}`);
    else if (xhr.status === 403 && isSentence) say(`${xhr.responseText} Nothing was changed.`);
    else if (xhr.status === 403) say("This page is too old, and nothing was changed. Reload it.");
    else say("That did not work, and nothing was changed. Try again.");
  });
})();
