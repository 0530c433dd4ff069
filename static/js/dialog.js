/* <button data-opens="ID" hidden>: opens the <dialog> with that id. Dialogs close themselves with
   <form method="dialog">, with Escape, and with a click beside them. */
(() => {
  "use strict";
  const show = () => {
    for (const button of document.querySelectorAll("[data-opens]")) button.hidden = false;
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-opens]");
    if (button) document.getElementById(button.dataset.opens)?.showModal();
    else if (event.target.tagName === "DIALOG") {
      const box = event.target.getBoundingClientRect();
      const outside = event.clientX < box.left || event.clientX > box.right
        || event.clientY < box.top || event.clientY > box.bottom;
      if (outside) event.target.close();
    }
  });
  show();
  document.addEventListener("htmx:afterSettle", show);
})();
