// The evidence of the items, packed in blocks; a printed report has the worst items open.
(() => {
  const unpack = async (text) => {
    const bytes = Uint8Array.from(atob(text.trim()), (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  };
  for (const box of document.querySelectorAll(".items"))
    semaTable(box, async (item, place) => {
      const block = box.querySelectorAll("script")[Math.floor(place / box.dataset.block)];
      if (!block) throw new Error(semaSay("This file has no room for the evidence of item {item}: sema explain RUN shows it.", { item }));
      return (await unpack(block.textContent))[item];
    });
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll(".worst .pick:not([open])")];
    for (const pick of opened) pick.open = true;
  });
  addEventListener("afterprint", () => { for (const pick of opened) pick.open = false; });
})();
