/* <a data-leads-back href="...next=PATH">: leads back to the place on the page too, which a browser tells no server. */
(() => {
  "use strict";
  for (const link of document.querySelectorAll("[data-leads-back]")) link.href += encodeURIComponent(location.hash);
})();
