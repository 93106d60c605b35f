"use strict";
// Draws a word's links when a pointer or the arrow keys reach it. Works on whatever items are on the page, now or later.
(() => {
  if (window.semaItems) return; // a notebook shows many items
  window.semaItems = true;
  const SVG = "http://www.w3.org/2000/svg";
  let shown = null;

  const other = (item, word) => item.querySelector(word.closest(".source") ? ".words.output" : ".words.source");

  const find = (side, number) => side.querySelector(`.w[data-n="${number}"]`);

  function clear() {
    if (!shown) return;
    shown.querySelectorAll(".w.on, .w.lit").forEach((word) => word.classList.remove("on", "lit"));
    shown.querySelector(".links").replaceChildren();
    shown.querySelector(".said").textContent = "";
    shown = null;
  }

  function curve(item, from, to, kind) {
    const frame = item.querySelector(".pair").getBoundingClientRect();
    const side = from.closest(".side").getBoundingClientRect(), far = to.closest(".side").getBoundingClientRect();
    const a = from.getClientRects()[0], b = to.getClientRects()[0];
    const path = document.createElementNS(SVG, "path");
    let d;
    if (Math.abs(side.left - far.left) > 20) { // side by side
      const right = side.left < far.left;
      const x1 = (right ? a.right : a.left) - frame.left, x2 = (right ? b.left : b.right) - frame.left;
      const y1 = a.bottom - frame.top - 2, y2 = b.bottom - frame.top - 2, middle = (x1 + x2) / 2;
      d = `M${x1} ${y1}C${middle} ${y1 + 14} ${middle} ${y2 + 14} ${x2} ${y2}`;
    } else { // one above the other
      const down = side.top < far.top;
      const x1 = (a.left + a.right) / 2 - frame.left, x2 = (b.left + b.right) / 2 - frame.left;
      const y1 = (down ? a.bottom : a.top) - frame.top, y2 = (down ? b.top : b.bottom) - frame.top, middle = (y1 + y2) / 2;
      d = `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`;
    }
    path.setAttribute("d", d);
    path.setAttribute("class", `k-${kind}`);
    item.querySelector(".links").append(path);
  }

  function show(word) {
    const item = word.closest(".sema-item");
    if (!item || !item.querySelector(".links")) return;
    clear();
    shown = item;
    word.classList.add("on");
    const side = other(item, word), said = [];
    for (const pair of (word.dataset.l || "").split(" ").filter(Boolean)) {
      const [number, kind] = pair.split(":");
      const target = find(side, number);
      if (!target) continue;
      target.classList.add("lit");
      curve(item, word, target, kind);
      const place = target.closest(".sent"), all = place ? [...side.querySelectorAll(".sent")] : [];
      said.push(`“${target.textContent}” (${kind}${all.length > 1 ? `, sentence ${all.indexOf(place) + 1}` : ""})`);
    }
    let text = `“${word.textContent}”`;
    if (said.length) text += ` — ${said.join(", ")}`;
    else if (word.tagName === "DEL") text += " is lost: nothing in the output stands for it";
    else if (word.tagName === "MARK") text += " is wrong: the other text says something else in its place";
    else if (word.tagName === "INS") text += " is added: nothing in the source stands for it";
    if (word.dataset.p) text += `; ${word.closest(".source") ? "kept" : "supported"} with probability ${word.dataset.p}`;
    if (word.dataset.c) text += `; level ${word.dataset.c}${word.classList.contains("above") ? ", above the target" : ""}`;
    item.querySelector(".said").textContent = text;
  }

  document.addEventListener("pointerover", (event) => {
    const word = event.target.closest && event.target.closest(".words .w");
    if (word) show(word); else if (event.pointerType === "mouse" && !(document.activeElement && document.activeElement.closest(".words"))) clear();
  });
  function showProblem(button) {
    const item = button.closest(".sema-item");
    clear();
    shown = item;
    const lit = [];
    for (const [name, numbers] of [["source", button.dataset.source], ["output", button.dataset.output]]) {
      const side = item.querySelector(`.words.${name}`);
      for (const number of numbers.split(" ").filter(Boolean)) {
        const word = find(side, number);
        if (word) { word.classList.add("lit"); lit.push(word); }
      }
    }
    if (lit[0]) lit[0].scrollIntoView({ block: "nearest" });
    item.querySelector(".said").textContent = button.textContent;
  }

  document.addEventListener("click", (event) => {
    const problem = event.target.closest && event.target.closest(".problems button");
    if (problem) return showProblem(problem);
    const word = event.target.closest && event.target.closest(".words .w");
    if (word) show(word);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return clear();
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const side = document.activeElement && document.activeElement.closest(".words");
    if (!step || !side) return;
    event.preventDefault();
    const words = [...side.querySelectorAll(".w")], at = words.findIndex((word) => word.classList.contains("on"));
    const next = words[Math.min(words.length - 1, Math.max(0, at < 0 ? 0 : at + step))];
    if (next) { show(next); next.scrollIntoView({ block: "nearest" }); }
  });
  document.addEventListener("focusout", (event) => { if (event.target.closest(".words")) clear(); });
})();
