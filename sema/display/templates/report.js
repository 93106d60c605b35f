// The list of all items: search and order.
(() => {
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  for (const input of document.querySelectorAll("input[data-list]")) {
    const list = document.getElementById(input.dataset.list);
    const count = document.querySelector(`[data-count="${input.dataset.list}"]`);
    const rows = [...list.children].map((row) => ({ row, text: null }));
    const look = () => {
      const wanted = fold(input.value.trim()).split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const entry of rows) {
        entry.text ??= fold(`${entry.row.dataset.n} ${entry.row.textContent}`);
        const found = wanted.length === 1 && /^\d+$/.test(wanted[0])
          ? entry.row.querySelector(".no").textContent === wanted[0] : wanted.every((word) => entry.text.includes(word));
        entry.row.hidden = !found;
        shown += found;
      }
      count.textContent = wanted.length ? `${shown} of ${rows.length}` : "";
    };
    let wait;
    input.addEventListener("input", () => { clearTimeout(wait); wait = setTimeout(look, 120); });
    document.querySelector(`select[data-list="${input.dataset.list}"]`).addEventListener("change", (event) => {
      const turn = { item: 0, down: -1, up: 1 }[event.target.value];
      rows.sort((a, b) => turn * (a.row.dataset.v - b.row.dataset.v) || a.row.dataset.n - b.row.dataset.n);
      list.append(...rows.map((entry) => entry.row));
    });
  }
})();
