/* The way of a line between two boxes that are on the move, from the sides that face each other. Once they stand, the
   server draws it (designer/core/er_picture/lines.py). */
(() => {
  "use strict";
  const lineBetween = (one, other) => {
    const [a, b] = [one, other].map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2, width, height }));
    const aside = Math.abs(b.x - a.x) > (a.width + b.width) / 2;
    const [right, down] = [Math.sign(b.x - a.x) || 1, Math.sign(b.y - a.y) || 1];
    const from = aside ? { x: a.x + (right * a.width) / 2, y: a.y } : { x: a.x, y: a.y + (down * a.height) / 2 };
    const to = aside ? { x: b.x - (right * b.width) / 2, y: b.y } : { x: b.x, y: b.y - (down * b.height) / 2 };
    const bow = Math.max(24, Math.abs(aside ? to.x - from.x : to.y - from.y) / 2);
    const [across, along] = aside ? [right * bow, 0] : [0, down * bow];
    return `M${from.x} ${from.y}C${from.x + across} ${from.y + along} ${to.x - across} ${to.y - along} ${to.x} ${to.y}`;
  };
  window.Keywright = { ...window.Keywright, lineBetween };
})();
