"use strict";
// Shows a word's links and a problem's places when a pointer or the keyboard reaches them, and puts outputs of one source
// together: the source once, two outputs side by side. Works on whatever items are on the page, now or later.
(() => {
  if (window.semaItems) return window.semaItems(); // a notebook shows many items
  // A text in the page's language, with values in its gaps: {name}
  const table = document.getElementById("sema-words"), words = table ? JSON.parse(table.textContent) : {};
  const say = window.semaSay = (text, values = {}) => (words[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const SVG = "http://www.w3.org/2000/svg";
  const OUTPUTS = ":scope > .sema-item";
  let shown = null, held = false, wanted = null;

  const other = (word) => word.closest(".sema-item").querySelector(word.closest(".source") ? ".words.output" : ".words.source");
  const find = (side, number) => side && side.querySelector(`.w[data-n="${number}"]`);
  const make = (name, className, text) => Object.assign(document.createElement(name), { className, textContent: text });

  // The word as it is seen: where outputs share their source, their own copies of it are hidden
  const seen = (word) => {
    const shared = word.closest(".source") && word.closest(".sema-item") && word.closest(".compare.duo");
    return shared ? find(shared.querySelector(".shared"), word.dataset.n) : word;
  };

  function clear() {
    held = false;
    if (!shown) return;
    shown.querySelectorAll(".w.on, .w.lit").forEach((word) => word.classList.remove("on", "lit"));
    shown.querySelectorAll(".links").forEach((links) => links.replaceChildren());
    shown.querySelectorAll(".said").forEach((line) => { line.textContent = ""; });
    shown = null;
  }

  function curve(item, from, to, kind) {
    if (!from.closest(".pair") || !to.closest(".pair")) return;
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
      const down = a.top < b.top;
      const x1 = (a.left + a.right) / 2 - frame.left, x2 = (b.left + b.right) / 2 - frame.left;
      const y1 = (down ? a.bottom : a.top) - frame.top, y2 = (down ? b.top : b.bottom) - frame.top, middle = (y1 + y2) / 2;
      d = `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`;
    }
    path.setAttribute("d", d);
    path.setAttribute("class", `k-${kind}`);
    item.querySelector(".links").append(path);
  }

  // Light the words of a problem on both sides, and join them
  function light(item, number) {
    const words = [...item.querySelectorAll(`.words [data-f="${number}"]`)].map(seen);
    words.forEach((word) => word.classList.add("lit"));
    const [from, to] = ["source", "output"].map((name) => words.find((word) => word.closest(`.${name}`)));
    if (from && to) curve(item, from, to, "wrong");
    return [from, to].filter(Boolean);
  }

  function show(word) {
    clear();
    shown = word.closest(".compare.duo") || word.closest(".sema-item");
    if (!shown) return;
    word.classList.add("on");
    const items = word.closest(".sema-item") ? [] : shown.querySelectorAll(`${OUTPUTS}:not([hidden])`);
    const own = items.length ? [...items].map((item) => find(item.querySelector(".source"), word.dataset.n)) : [word];
    own.forEach(tell);
  }

  function tell(word) {
    const item = word.closest(".sema-item"), side = other(word), said = [];
    let text = `“${word.textContent}”`;
    if (word.dataset.f) {
      light(item, word.dataset.f);
      text += ` — ${say("problem {n}", { n: word.dataset.f })}: ${item.querySelector(`.problems [data-f="${word.dataset.f}"]`).textContent}`;
    } else {
      for (const pair of (word.dataset.l || "").split(" ").filter(Boolean)) {
        const [number, kind] = pair.split(":");
        const target = find(side, number);
        if (!target) continue;
        seen(target).classList.add("lit");
        curve(item, seen(word), seen(target), kind);
        const place = target.closest(".sent"), all = place ? [...side.querySelectorAll(".sent")] : [];
        said.push(`“${target.textContent}” (${say(kind)}${all.length > 1 ? say(", sentence {n}", { n: all.indexOf(place) + 1 }) : ""})`);
      }
      if (said.length) text += ` — ${said.join(", ")}`;
      else if (word.tagName === "DEL") text += say(" is lost: nothing in the output stands for it");
      else if (word.tagName === "INS") text += say(" is added: nothing in the source stands for it");
    }
    if (word.dataset.c) text += say("; level {level}", { level: word.dataset.c }) + (word.classList.contains("above") ? say(", above the target") : "");
    item.querySelector(".said").textContent = text;
  }

  document.addEventListener("pointerover", (event) => {
    const word = event.target.closest && event.target.closest(".words .w");
    if (word) show(word);
    else if (!held && event.pointerType === "mouse" && !(document.activeElement && document.activeElement.closest(".words"))) clear();
  });
  document.addEventListener("click", (event) => {
    const problem = event.target.closest && event.target.closest(".problems button");
    const word = event.target.closest && event.target.closest(".words .w");
    if (word) show(word);
    if (!problem) return;
    const item = problem.closest(".sema-item");
    clear();
    shown = item.closest(".compare.duo") || item;
    held = true; // until another word or problem, or Escape
    light(item, problem.dataset.f).reverse().forEach((place) => place.scrollIntoView({ block: "nearest" }));
    item.querySelector(".said").textContent = problem.textContent;
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

  // Outputs of one source: a pair, which the reader chooses, shares the source, and what only one of them says is marked
  function together(box) {
    const items = [...box.querySelectorAll(OUTPUTS)];
    if (items.length < 2 || box.dataset.ready || items.some((item) => !item.querySelector(".pair"))) return;
    box.dataset.ready = "yes";
    const names = items.map((item) => item.querySelector("h4").textContent);
    if (items.length === 2) return pair(box, items);
    const line = make("p", "pairing"), choices = ["Side by side", "and"].map((text, place) => {
      const label = make("label", "", `${say(text)} `), select = make("select");
      if (!place) select.append(new Option(say("all"), ""));
      names.forEach((name, number) => select.append(new Option(name, number)));
      label.append(select);
      line.append(label);
      return select;
    });
    const choose = () => {
      const [first, second] = choices;
      second.parentElement.hidden = first.value === "";
      if (first.value === second.value) second.value = (Number(first.value) + 1) % items.length;
      pair(box, first.value === "" ? [] : [items[first.value], items[second.value]]);
    };
    line.addEventListener("change", () => {
      choose();
      wanted = choices[0].value === "" ? null : choices.map((select) => names[select.value]);
    });
    if (wanted && wanted.every((name) => names.includes(name))) choices.forEach((select, place) => { select.value = names.indexOf(wanted[place]); });
    box.prepend(line);
    choose();
  }

  function pair(box, chosen) {
    clear();
    box.querySelectorAll(":scope > .shared").forEach((part) => part.remove());
    box.querySelectorAll(".w.diff").forEach((word) => word.classList.remove("diff"));
    box.classList.toggle("duo", chosen.length === 2);
    for (const item of box.querySelectorAll(OUTPUTS)) {
      item.hidden = chosen.length === 2 && !chosen.includes(item);
      item.querySelector(".side").hidden = chosen.length === 2;
    }
    if (chosen.length !== 2) return;
    const shared = chosen[0].querySelector(".side").cloneNode(true);
    shared.hidden = false;
    shared.className = "shared";
    shared.querySelectorAll("sup").forEach((number) => number.remove());
    let before = -1;
    const alone = new Set();
    for (const word of shared.querySelectorAll(".w")) {
      const gone = chosen.map((item) => find(item.querySelector(".source"), word.dataset.n).tagName !== "SPAN");
      const place = gone[0] === gone[1] ? -1 : gone.indexOf(true);
      if (place >= 0) {
        const half = make("span", "w half", word.textContent);
        half.dataset.n = word.dataset.n;
        word.replaceWith(half);
        alone.add(place);
        if (place !== before) half.before(make("sup", "no lost", String(place + 1)));
      }
      before = place;
    }
    const notes = [...alone].sort().map((place) => say("{n}: a problem of {name} alone.", { n: place + 1, name: chosen[place].querySelector("h4").textContent }));
    shared.append(make("p", "quiet", [...notes, say("Highlighted: words that only one output has.")].join(" ")));
    box.insertBefore(shared, box.querySelector(OUTPUTS));
    const [first, second] = chosen.map((item) => [...item.querySelectorAll(".output .w")]);
    for (const word of differing(first, second)) word.classList.add("diff");
  }

  // The words of two lists that are not in their longest common subsequence
  function differing(first, second) {
    const [a, b] = [first, second].map((words) => words.map((word) => word.textContent.toLowerCase()));
    const best = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
    for (let i = a.length - 1; i >= 0; i--)
      for (let j = b.length - 1; j >= 0; j--)
        best[i][j] = a[i] === b[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
    const found = [];
    let i = 0, j = 0;
    while (i < a.length && j < b.length) {
      if (a[i] === b[j]) { i++; j++; } else if (best[i + 1][j] >= best[i][j + 1]) found.push(first[i++]); else found.push(second[j++]);
    }
    return [...found, ...first.slice(i), ...second.slice(j)];
  }

  window.semaItems = () => document.querySelectorAll(".compare").forEach(together);
  window.semaItems();
})();
