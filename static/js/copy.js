/* <button data-copies="ID" hidden>: copies the text of the element with that id. */
(() => {
  "use strict";
  const show = (root) => {
    if (!navigator.clipboard) return;
    for (const button of root.querySelectorAll("[data-copies]")) button.hidden = false;
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copies]");
    if (!button) return;
    const source = document.getElementById(button.dataset.copies);
    await navigator.clipboard.writeText(source.value ?? source.textContent);
    const status = document.getElementById("status");
    if (status) status.textContent = "Copied.";
    button.classList.add("is-done");
    setTimeout(() => button.classList.remove("is-done"), 1500);
  });
  show(document);
  document.addEventListener("htmx:afterSettle", () => show(document));
})();
