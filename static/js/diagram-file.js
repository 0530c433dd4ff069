/* The diagram as a PNG: [data-diagram="png"] fetches the file of its data-svg, which has no page around it, gives it the
   fonts of data-font and data-bold, and draws it at twice its size. */
(() => {
  "use strict";
  const LARGEST = 16_000; // Pixels of a side that browsers still draw.

  const inline = async (address) => {
    const blob = await (await fetch(address)).blob();
    return new Promise((done, failed) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result);
      reader.onerror = () => failed(reader.error);
      reader.readAsDataURL(blob);
    });
  };
  const face = (address, weight) => `@font-face{font-family:"IBM Plex Sans";font-weight:${weight};src:url(${address})}`;
  const drawn = async ({ svg, font, bold }) => {
    const answer = await fetch(svg);
    if (!answer.ok) throw new Error(`The diagram answered ${answer.status}.`);
    const name = answer.headers.get("Content-Disposition")?.match(/filename="(.+)\.svg"/)?.[1] ?? "diagram";
    const faces = `<style>${face(await inline(font), 400)}${face(await inline(bold), 600)}</style>`;
    const text = (await answer.text()).replace(/(<svg[^>]*>)/, `$1${faces}`);
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    const scale = Math.min(2, LARGEST / Math.max(image.width, image.height));
    const canvas = document.createElement("canvas");
    canvas.width = image.width * scale;
    canvas.height = image.height * scale;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return { name: `${name}.png`, blob: await new Promise((done) => { canvas.toBlob(done, "image/png"); }) };
  };
  const say = (text) => {
    const status = document.getElementById("status");
    status?.classList.remove("sr");
    if (status) status.textContent = text;
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-diagram='png']");
    if (!button) return;
    try {
      const { name, blob } = await drawn(button.dataset);
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    } catch {
      say("The picture could not be drawn here. The SVG file has it too.");
    }
  });
})();
