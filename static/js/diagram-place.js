/* Where the diagram stands in its sheet: how far its corner is from that of the sheet. A positive distance is a margin, and the sheet
   is scrolled by a negative one. */
(() => {
  "use strict";
  let margin = { left: 0, top: 0 };
  const corner = ({ scrollLeft, scrollTop }) => ({ left: margin.left - scrollLeft, top: margin.top - scrollTop });
  const place = (sheet, left, top) => {
    margin = { left: Math.max(left, 0), top: Math.max(top, 0) };
    sheet.style.setProperty("--diagram-left", `${margin.left}px`);
    sheet.style.setProperty("--diagram-top", `${margin.top}px`);
    sheet.scrollTo(Math.max(-left, 0), Math.max(-top, 0));
  };
  /* Near `at`: in the middle where all of it has room, and otherwise with no room beside it. */
  const within = (at, whole, room) => (whole <= room ? (room - whole) / 2 : Math.min(Math.max(at, room - whole), 0));
  const placeWithin = (sheet, left, top, width, height) => {
    place(sheet, 0, 0); // A margin may have brought bars.
    const { clientWidth, clientHeight } = sheet;
    place(sheet, within(left, width, clientWidth), within(top, height, clientHeight));
  };
  window.Keywright = { ...window.Keywright, diagramPlace: { corner, place, placeWithin, within } };
})();
