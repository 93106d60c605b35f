"use strict";
// A table of items: search, filters, order, columns; a row opens its evidence: `load(item, place)` fetches it as HTML.
window.semaTable = (box, load) => {
  const say = window.semaSay;
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const field = (name) => box.querySelector(`[name=${name}]`);
  const body = box.querySelector("tbody"), heads = [...box.querySelectorAll("thead [data-metric]")];
  const rows = [...body.rows].map((row, place) => ({
    row, place, item: Number(row.dataset.item), name: row.cells[0].textContent.trim(), text: null, open: null, cells: [...row.cells].slice(2),
  }));
  heads.forEach((head, at) => rows.forEach((entry) => { entry.cells[at].dataset.of = head.dataset.system; })); // for phones
  const value = (cell) => parseFloat(cell.firstChild ? cell.firstChild.data : "");
  const problems = (entry, at) => (entry.cells[at].querySelector("small") || { textContent: "" }).textContent;

  function columns() {
    heads.forEach((head, at) => {
      const hide = field("metric").value !== "" && head.dataset.metric !== field("metric").value;
      for (const cell of [head, ...rows.map((entry) => entry.cells[at])]) cell.hidden = hide;
    });
    look();
  }

  // Score and kind of problem are those of one system, or of any
  function matches(entry, wanted) {
    const low = parseFloat(field("low").value), high = parseFloat(field("high").value), kind = field("kind") ? field("kind").value : "";
    if (wanted.length === 1 && /^\d+$/.test(wanted[0])) { if (entry.name !== wanted[0]) return false; }
    else if (wanted.length) {
      entry.text ??= fold(entry.row.textContent);
      if (!wanted.every((word) => entry.text.includes(word))) return false;
    }
    if (Number.isNaN(low) && Number.isNaN(high) && !kind) return true;
    const metric = field("metric").value || heads[0].dataset.metric, system = field("system").value;
    return heads.some((head, at) => {
      if (head.dataset.metric !== metric || (system && head.dataset.system !== system)) return false;
      const score = value(entry.cells[at]);
      if (score < low || score > high || (Number.isNaN(score) && !(Number.isNaN(low) && Number.isNaN(high)))) return false;
      if (!kind) return true;
      const told = problems(entry, heads.findIndex((one) => one.dataset.system === head.dataset.system && "told" in one.dataset));
      return kind === "none" ? !told : told.includes(kind);
    });
  }

  function look() {
    const wanted = fold(field("search").value.trim()).split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const entry of rows) {
      const found = matches(entry, wanted);
      entry.row.hidden = !found;
      if (entry.open) entry.open.hidden = !found;
      shown += found;
    }
    box.querySelector("[role=status]").textContent = say(shown === rows.length ? "{n} items" : "{shown} of {n}", { n: rows.length, shown });
  }

  // How far apart the systems' scores by the first metric lie
  function gap(entry) {
    const scores = entry.cells.filter((_, at) => heads[at].dataset.metric === heads[0].dataset.metric).map(value);
    return Math.max(...scores) - Math.min(...scores);
  }

  // By the server's order (the worst first), by number, by gap, or by a column, low first or high first
  function sort(key, down) {
    const turn = down ? -1 : 1, at = Number(key);
    const by = { worst: (entry) => entry.place, item: (entry) => entry.item, gap }[key] || ((entry) => value(entry.cells[at]));
    rows.sort((a, b) => {
      const [x, y] = [by(a), by(b)];
      return Number.isNaN(x) - Number.isNaN(y) || turn * (x - y) || a.item - b.item;
    });
    body.append(...rows.flatMap((entry) => (entry.open ? [entry.row, entry.open] : [entry.row])));
    field("order").value = `${key} ${down ? "down" : "up"}`;
    for (const button of box.querySelectorAll("thead button"))
      if (button.dataset.key === key) button.parentElement.setAttribute("aria-sort", down ? "descending" : "ascending");
      else button.parentElement.removeAttribute("aria-sort");
  }

  async function toggle(entry) {
    const button = entry.row.querySelector("button"), open = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(open));
    if (!open) { entry.open.remove(); entry.open = null; return; }
    const row = document.createElement("tr"), cell = row.insertCell();
    row.className = "opened";
    cell.colSpan = 99;
    cell.textContent = "…";
    entry.open = row;
    entry.row.after(row);
    try { cell.innerHTML = await load(entry.item, entry.place); } catch (error) { cell.textContent = error.message; }
    window.semaItems();
  }

  let wait;
  box.addEventListener("input", (event) => {
    if (event.target.tagName !== "INPUT") return;
    clearTimeout(wait);
    wait = setTimeout(look, 120);
  });
  box.querySelector(".find").addEventListener("change", (event) => {
    if (event.target.name === "order") { const [key, way] = event.target.value.split(" "); sort(key, way === "down"); }
    else columns();
  });
  box.querySelector("thead").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) sort(button.dataset.key, button.parentElement.getAttribute("aria-sort") === "ascending");
  });
  body.addEventListener("click", (event) => {
    const row = event.target.closest("tr"), entry = rows.find((one) => one.row === row);
    if (entry && !String(getSelection())) toggle(entry);
  });
  columns();
};
