/* What others do in this design, without a reload. #news asks whether something is new, not while the page is hidden;
   `design-changed` says that the design is, or that something was said of it. Then the page is fetched anew and merged
   into what is shown, but for a form that somebody is at: it stays as it is, with a line above it, until they are done.
   What they typed is merged with what others did when it is saved, so neither is lost. A comment of somebody else has a
   line that leads to it. */
(() => {
  "use strict";
  const region = () => document.getElementById("statement") ?? document.getElementById("main");
  const news = () => document.getElementById("news");
  let waiting = false;
  let touched = 0;
  let answered = 0;
  let heard = null;
  const asked = new WeakMap();
  const sending = new Set();

  const differs = (field) => {
    if (field.type === "hidden" || field.matches("button")) return false;
    if (field.type === "file") return field.files.length > 0;
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    if (field.matches("select")) {
      const chosen = [...field.options].findIndex((option) => option.defaultSelected);
      return field.selectedIndex !== Math.max(chosen, 0);
    }
    return field.value !== field.defaultValue;
  };
  const busy = () => {
    if (region().querySelector("#conflict, #form-errors, #gone, #unsent, .has-error, dialog[open]")) return true;
    return [...region().querySelectorAll("form")].some((form) => [...form.elements].some(differs));
  };

  const fetched = (target, more = {}) => {
    const path = location.pathname + location.search;
    return window.htmx.ajax("GET", path, { source: "#news", target, swap: "morph:innerHTML", ...more });
  };
  const renew = (isChanged = true) => {
    waiting = busy();
    const panel = document.getElementById("statement");
    if (panel) return waiting ? fetched("#results").then(again) : fetched("#statement");
    const isAbout = isChanged || document.getElementById("discussion");
    return waiting || !isAbout
      ? fetched("#bar", { select: "#bar > *" })
      : fetched("#main", { select: "#main > *", selectOOB: "#bar,#summary" });
  };
  const again = () => {
    // What is typed is seen in the answer again.
    const form = [...region().querySelectorAll("form")].find((form) => form.querySelector("[data-preview]") && [...form.elements].some(differs));
    form?.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const tell = (said) => {
    document.getElementById("meanwhile")?.remove();
    const line = document.createElement("p");
    line.id = "meanwhile";
    line.className = "meanwhile";
    const form = region().querySelector("form.form");
    // A comment is of its own.
    line.textContent = `${said} What you type stays${form ? ", and goes together with it when you save" : ""}.`;
    if (form) form.before(line);
    else region().prepend(line);
  };
  const lead = ({ said, url, thread }) => {
    document.getElementById("heard")?.remove();
    const line = document.createElement("p");
    line.id = "heard";
    line.className = "meanwhile";
    line.setAttribute("role", "status");
    const link = document.createElement("a");
    link.textContent = "Show";
    const isHere = document.getElementById(thread) !== null;
    const query = new URLSearchParams(location.search);
    for (const name of ["page", "comment"]) query.delete(name);
    query.set("thread", thread.replace("thread-", ""));
    link.href = isHere ? `#${thread}` : `${url}?${query}#${thread}`;
    link.addEventListener("click", () => {
      // Whoever has something typed here keeps it.
      if (!isHere && busy()) link.target = "_blank";
      else line.remove();
    });
    region().prepend(line);
    line.append(`${said} `, link);
  };

  document.addEventListener("htmx:configRequest", (event) => {
    const { elt, headers, parameters, path } = event.detail;
    if (elt.id !== "news") return;
    if (path !== elt.getAttribute("hx-get")) {
      headers["Keywright-Since"] = elt.dataset.since;
      if (sending.size) event.preventDefault();
      return;
    }
    if (document.hidden) event.preventDefault();
    parameters.since = elt.dataset.since;
    parameters.talked = elt.dataset.talked;
    parameters.who = elt.dataset.who;
  });
  document.addEventListener("design-changed", (event) => {
    const { said, version, talked, comment } = event.detail;
    // The answer that told it is still being dealt with. What this page did itself, it shows or is about to show.
    setTimeout(() => {
      const known = news().dataset;
      if (sending.size || (Number(known.since) >= version && known.talked === talked)) return;
      if (comment || !document.getElementById("heard")) heard = comment;
      const renewed = renew(Boolean(said));
      if (waiting && said) tell(said);
      if (heard) renewed.then(() => lead(heard));
    });
  });
  // What the panel shows was changed beside it.
  document.addEventListener("panel-stale", () => {
    if (!document.getElementById("lists")) renew();
  });
  // An undo beside a form of something new: what is typed there stays.
  document.addEventListener("panel-kept", again);
  // What was done with a thread is shown in its place. How many are open is shown elsewhere too.
  document.addEventListener("talked", () => look());
  // What was fetched before somebody went on to type, or before a save was answered, comes too late; the next answer
  // tells it again.
  const touch = () => { touched = performance.now(); };
  for (const name of ["input", "change", "submit"]) document.addEventListener(name, (event) => { if (event.isTrusted) touch(); }, true);
  document.addEventListener("htmx:beforeSend", (event) => {
    asked.set(event.detail.xhr, performance.now());
    if (event.detail.requestConfig.verb !== "post" || event.detail.elt.matches("[data-preview]")) return;
    touch();
    const { xhr } = event.detail;
    sending.add(xhr);
    // Told by the request itself: htmx tells it of an element, which may have left the page before the answer.
    xhr.addEventListener("loadend", () => {
      sending.delete(xhr);
      touched = answered = performance.now();
    });
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { requestConfig, xhr } = event.detail;
    if (requestConfig.elt.id === "news" && asked.get(xhr) < (requestConfig.target?.id === "news" ? answered : touched)) event.detail.shouldSwap = false;
  });
  // Whatever draws the whole panel has brought what came meanwhile.
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target === region()) waiting = false;
  });
  const look = () => {
    if (news()) window.htmx.trigger(news(), "look");
  };
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) look();
  });
  document.addEventListener("focusout", () => {
    // Whoever leaves a form as it was before gets what came meanwhile.
    setTimeout(() => {
      if (waiting && !sending.size && !busy()) renew();
    }, 300);
  });
})();
