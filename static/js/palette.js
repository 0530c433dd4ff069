/* The palette, #palette: Ctrl+K or a button [data-finds] opens it at once, with what is on the page; what its address has is
   fetched meanwhile. Words narrow it, the arrows choose, Enter goes there. What the page itself has a link for is opened as
   that link does, without another page; [data-presses] presses the control of that name. */
(() => {
  "use strict";
  // A popover that covers the page: to make a large page inert, as showModal() does, takes longer than all the rest.
  const palette = document.getElementById("palette");
  if (!palette) return;
  const words = palette.querySelector("input");
  const list = palette.querySelector("[role='listbox']");
  const none = document.getElementById("palette-none");
  const MOST = 60;
  const MOST_OF_A_KIND = 6; // while no word is typed, so that every kind is seen

  const CONTROLS = { theme: "[data-theme-toggle]", shortcuts: "[data-opens='shortcuts']" };
  const control = (name) => document.querySelector(CONTROLS[name] ?? `[data-key="${name}"]`);
  const options = () => [...list.querySelectorAll("[role='option']")];
  const seen = () => options().filter((option) => !option.hidden);
  const isOpen = () => palette.matches(":popover-open");
  const chosen = () => list.querySelector("[aria-selected='true']");

  const choose = (option) => {
    chosen()?.setAttribute("aria-selected", "false");
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) words.setAttribute("aria-activedescendant", option.id);
    else words.removeAttribute("aria-activedescendant");
  };
  const fits = (option, asked) => {
    const { presses } = option.dataset;
    if (presses && (!control(presses) || control(presses).disabled)) return false;
    const said = `${option.textContent} ${option.parentElement.getAttribute("aria-label")}`.toLowerCase();
    return asked.every((word) => said.includes(word));
  };
  const narrow = () => {
    const asked = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const group of list.children) {
      let here = 0;
      for (const option of group.querySelectorAll("[role='option']")) {
        option.hidden = shown >= MOST || (!asked.length && here >= MOST_OF_A_KIND) || !fits(option, asked);
        if (option.hidden) continue;
        shown += 1;
        here += 1;
      }
      group.hidden = here === 0;
    }
    none.hidden = shown > 0;
    list.hidden = shown === 0;
    words.setAttribute("aria-expanded", String(shown > 0));
    // What begins with the words is meant before what has them somewhere.
    const begins = (option) => option.firstElementChild.textContent.toLowerCase().startsWith(words.value.trim().toLowerCase());
    const found = seen();
    choose((asked.length && found.find(begins)) || found[0]);
  };

  const option = (link, at, kind) => {
    const made = document.createElement("div");
    made.setAttribute("role", "option");
    made.setAttribute("aria-selected", "false");
    made.id = `here-${kind}-${at}`;
    made.dataset.href = link.getAttribute("href");
    const label = made.appendChild(document.createElement("span"));
    label.className = "palette-label";
    label.textContent = (link.querySelector(".grow") ?? link).textContent.trim();
    return made;
  };
  const group = (name, links, kind) => {
    const made = document.createElement("div");
    made.setAttribute("role", "group");
    made.setAttribute("aria-label", name);
    made.append(...[...links].map((link, at) => option(link, at, kind)));
    return made;
  };
  const what_is_here = () => list.replaceChildren(
    group("Access patterns", document.querySelectorAll("[data-pattern]"), "pattern"),
    group("Pages", document.querySelectorAll(".header-nav a:not(.header-title)"), "page"),
  );
  let known = false;
  let entered = false; // before there was anything to go to
  const fetched = async () => {
    const address = palette.dataset.entries;
    if (!address) return;
    try {
      const answer = await fetch(address, { headers: { "X-Requested-With": "fetch" } });
      if (!answer.ok) return;
      const found = new DOMParser().parseFromString(await answer.text(), "text/html");
      list.replaceChildren(...found.body.children);
      known = true;
      narrow();
      if (entered && isOpen()) go(chosen());
    } catch {
      // Without an answer it finds what is on the page.
    }
  };

  const open = () => {
    if (isOpen()) return;
    words.value = "";
    entered = false;
    if (!known) what_is_here();
    palette.showPopover();
    narrow();
    words.focus();
    fetched();
  };
  const pathOf = (address) => new URL(address, location.href);
  const linkHere = (address) => {
    const to = pathOf(address);
    if (to.hash) return null; // A place in a page, not what the left column leads to.
    const number = to.searchParams.get("pattern");
    if (number) return document.querySelector(`#pattern-${CSS.escape(number)} [data-pattern]`);
    const links = document.querySelectorAll("#statement a[hx-get]");
    return [...links].find((link) => pathOf(link.href).pathname === to.pathname && link.closest(".list, .panel-head"));
  };
  const go = (option) => {
    if (!option) return;
    palette.hidePopover();
    const { href, presses } = option.dataset;
    if (presses) {
      control(presses)?.click();
      return;
    }
    const here = linkHere(href);
    if (here) {
      here.focus();
      here.click();
    } else location.assign(href);
  };

  words.addEventListener("input", () => {
    entered = false;
    narrow();
  });
  palette.addEventListener("keydown", (event) => {
    const found = seen();
    const at = found.indexOf(chosen());
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: found.length - 1 }[event.key];
    const inText = ["Home", "End"].includes(event.key) && words.value;
    if (event.key === "Enter") {
      entered = !chosen() && !known;
      go(chosen());
    }
    else if (event.key === "Tab") words.focus();
    else if (to === undefined || inText || !found.length) return;
    else choose(found[(to + found.length) % found.length]);
    event.preventDefault();
  });
  palette.addEventListener("mousedown", (event) => { if (event.target !== words) event.preventDefault(); }); // The focus stays.
  palette.addEventListener("click", (event) => {
    if (event.target === palette) palette.hidePopover();
  });
  list.addEventListener("click", (event) => go(event.target.closest("[role='option']")));
  list.addEventListener("pointermove", (event) => {
    const option = event.target.closest("[role='option']");
    if (option && option !== chosen()) choose(option);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    if (document.querySelector("dialog:modal")) return;
    event.preventDefault();
    if (isOpen()) palette.hidePopover();
    else open();
  }, true);
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-finds]")) open();
  });
  for (const button of document.querySelectorAll("[data-finds]")) button.hidden = false;
})();
