/* <button data-theme-toggle hidden>: light or dark, kept for a year in the cookie `theme`, which the server reads so
   that the first paint is right. Without a cookie the system decides. */
(() => {
  "use strict";
  const root = document.documentElement;
  const dark = () => root.dataset.theme
    ? root.dataset.theme === "dark"
    : window.matchMedia("(prefers-color-scheme: dark)").matches;
  for (const button of document.querySelectorAll("[data-theme-toggle]")) {
    button.hidden = false;
    button.setAttribute("aria-pressed", String(dark()));
    button.addEventListener("click", () => {
      root.dataset.theme = dark() ? "light" : "dark";
      button.setAttribute("aria-pressed", String(dark()));
      const secure = location.protocol === "https:" ? "; Secure" : "";
      document.cookie = `theme=${root.dataset.theme}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
    });
  }
})();
