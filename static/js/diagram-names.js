/* The names of entities in a diagram that is shown too small for its own letters: as on a map, each is cut where another box
   or name, or the margin, begins, and left out where fewer than three letters have room. What the selected access pattern needs is named
   first, then what has most relationships. The title of a box has its name in full. */
(() => {
  "use strict";
  const [SMALLEST, LARGEST] = [9, 12]; // Pixels of a letter on the screen.
  const GROWS = 26; // Pixels of a letter at the full size, were it not for the largest.
  const GAP = 3;
  const FEWEST = 3;

  const pen = document.createElement("canvas").getContext("2d");
  const cut = (name, room) => {
    if (pen.measureText(name).width <= room) return name;
    let letters = name.length - 1;
    while (letters >= FEWEST && pen.measureText(`${name.slice(0, letters)}…`).width > room) letters -= 1;
    return letters < FEWEST ? "" : `${name.slice(0, letters)}…`;
  };
  const links = (picture) => {
    const found = new Map();
    for (const { dataset } of picture.querySelectorAll(".er-edge")) {
      for (const key of [dataset.parent, dataset.child]) found.set(key, (found.get(key) ?? 0) + 1);
    }
    return found;
  };
  const meets = (one, other) => one.top < other.bottom && other.top < one.bottom;

  const write = (text, words) => {
    text.dataset.whole ??= text.textContent;
    if (text.textContent !== words) text.textContent = words;
  };
  /* `scale` is 0 where the letters are large enough as they are drawn. */
  const nameBoxes = (picture, scale) => {
    const boxes = [...picture.querySelectorAll(".er-entity")].map((entity) => {
      const { x, y, width, height } = entity.querySelector(".er-box");
      return { entity, text: entity.querySelector(".er-name"), left: x.baseVal.value, top: y.baseVal.value, width: width.baseVal.value, height: height.baseVal.value };
    });
    if (!scale) {
      for (const { text } of boxes) {
        if (text.dataset.whole) write(text, text.dataset.whole);
        text.style.removeProperty("font-size");
      }
      return;
    }
    const letter = Math.min(LARGEST, Math.max(SMALLEST, scale * GROWS)) / scale;
    const gap = GAP / scale;
    pen.font = `600 ${letter}px ${getComputedStyle(picture.querySelector(".er-name") ?? picture).fontFamily}`;
    const linked = links(picture);
    const worth = ({ entity }) => (entity.matches(".is-asked") ? 1e6 : 0) + (linked.get(entity.dataset.entity) ?? 0);
    const taken = boxes.map(({ left, top, width, height }) => ({ left, top, right: left + width, bottom: top + height }));
    const written = [];
    const { x: start, width: wide } = picture.viewBox.baseVal;
    for (const box of boxes.sort((one, other) => worth(other) - worth(one))) {
      const { text } = box;
      const top = text.y.baseVal[0].value;
      const place = { left: text.x.baseVal[0].value, top, bottom: top + letter * 1.2 };
      const beside = [...taken.filter((each) => each.left > box.left), ...written.filter((each) => each.right > place.left)];
      const ends = beside.filter((each) => meets(each, place)).map((each) => each.left - gap);
      const room = Math.min(start + wide, ...ends) - place.left;
      text.style.fontSize = `${letter}px`;
      write(text, cut(box.entity.dataset.name, room));
      if (text.textContent) written.push({ ...place, right: place.left + pen.measureText(text.textContent).width + gap });
    }
  };
  window.Keywright = { ...window.Keywright, nameBoxes };
})();
