"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  // The original, then what each button of examples fills in
  const EXAMPLES = {
    en: { source: "Because heavy rain flooded the road, the school, which has 300 pupils, closed for two days in March.",
      faithful: "Heavy rain flooded the road. Because of this, the school closed for two days in March. The school has 300 pupils.",
      shortened: "The school closed for two days in March.",
      wrong: "The school, which has 300 pupils, closed for two years in March because of a fire." },
    zh: { source: "由于暴雨冲毁了道路，学校停课两天，学生们在家里上网课。",
      faithful: "暴雨冲毁了道路。因此，学校停课两天。学生们在家里上网课。",
      shortened: "学校停课。",
      wrong: "由于火灾，学校停课两年，学生们在家里上网课。" },
  };
  const SYSTEMS = 8, MEMORY = "sema", say = window.semaSay;
  // The page's language: requests name it, and browsers know the names of languages in it
  const spoken = document.documentElement.lang, words = spoken === "en" ? "" : `?words=${spoken.split("-")[0]}`;
  const languages = words && new Intl.DisplayNames(spoken, { type: "language" });
  const named = (code, name) => (words && /^[a-z]{2,3}$/.test(code) ? languages.of(code) : name);
  function nameLanguages(box) {
    for (const part of box.querySelectorAll("[data-language]")) part.textContent = named(part.dataset.language, part.textContent);
  }
  nameLanguages(document);
  const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  function complain(text) {
    $("problem").textContent = text;
    $("problem").hidden = !text;
  }

  async function answer(response) {
    if (response.ok) return response;
    let detail = say("the server answered {status}", { status: response.status });
    try { detail = (await response.json()).detail || detail; } catch { /* no JSON: the status has to do */ }
    throw new Error(detail);
  }

  async function working(form, said, task) {
    const button = form.querySelector(".go");
    complain("");
    button.disabled = true;
    $("busy").textContent = said;
    try { await task(); } catch (error) {
      complain(error instanceof TypeError ? say("The server cannot be reached; is it still running?") : error.message);
    } finally {
      button.disabled = false;
      $("busy").textContent = "";
    }
  }

  // The metrics that are ticked; none where they are the defaults, which the server knows for each language
  function chosen(form) {
    const boxes = [...form.querySelectorAll("[name=metric]")];
    return boxes.every((box) => box.checked === box.defaultChecked) ? [] : boxes.filter((box) => box.checked).map((box) => box.value);
  }

  // A target is of use to the metrics of levels alone, and those of its scale
  for (const form of document.querySelectorAll("form"))
    form.querySelector("[name=target]").addEventListener("change", (event) => {
      const metrics = (option) => option.dataset.metrics.split(" ").filter(Boolean), own = metrics(event.target.selectedOptions[0]);
      for (const name of new Set([...event.target.options].flatMap(metrics)))
        form.querySelector(`[name=metric][value=${name}]`).checked = own.includes(name);
    });

  // What is shown is of a form's texts and choices; once these are others, it is greyed
  let shownBy = null, shown = null;
  function stale(yes) {
    $("result").classList.toggle("stale", yes);
    $("stale").hidden = !yes;
  }
  for (const form of document.querySelectorAll("form"))
    form.addEventListener("input", () => { if (form === shownBy) stale(true); });
  function show(form, fill) {
    stale(false);
    fill($("result"));
    shownBy = form;
  }

  // Tabs, also by arrow keys
  const tabs = [...document.querySelectorAll("[role=tab]")];
  function select(tab) {
    for (const other of tabs) {
      const on = other === tab;
      other.setAttribute("aria-selected", String(on));
      other.tabIndex = on ? 0 : -1;
      $(other.getAttribute("aria-controls")).hidden = !on;
    }
    complain("");
  }
  tabs.forEach((tab, place) => {
    tab.addEventListener("click", () => select(tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = tabs[(place + step + tabs.length) % tabs.length];
      select(next);
      next.focus();
    });
  });

  // Pasted texts
  const paste = $("paste").querySelector("form"), outputs = () => [...$("outputs").children];
  function add(text) {
    const box = outputs()[0].cloneNode(true);
    box.querySelector("textarea").value = text;
    $("outputs").append(box);
    number();
    return box.querySelector("textarea");
  }
  function number() {
    outputs().forEach((box, place, all) => {
      const label = box.querySelector("label"), area = box.querySelector("textarea"), remove = box.querySelector(".remove");
      area.id = `output${place + 1}`;
      label.htmlFor = area.id;
      label.textContent = place ? say("Simplification {n}", { n: place + 1 }) : say("Simplification");
      area.setAttribute("aria-describedby", `${area.id}-count`);
      box.querySelector(".count").id = `${area.id}-count`;
      remove.hidden = all.length === 1;
      remove.setAttribute("aria-label", say("Remove simplification {n}", { n: place + 1 }));
      count(area);
    });
    $("add").hidden = outputs().length >= SYSTEMS;
  }
  const changed = (area) => area.dispatchEvent(new Event("input", { bubbles: true }));
  $("add").addEventListener("click", () => add("").focus());
  $("outputs").addEventListener("click", (event) => {
    const box = event.target.closest(".remove") && event.target.closest("#outputs > div");
    if (!box) return;
    box.remove();
    number();
    changed(outputs()[0].querySelector("textarea"));
    outputs()[0].querySelector("textarea").focus();
  });

  // Characters as the server counts them, and which texts are too long
  const length = (area) => [...area.value].length;
  function count(area) {
    const most = Number(area.dataset.most), now = length(area), note = area.parentElement.querySelector(".count");
    note.textContent = now ? say("{now} of {most} characters", { now: now.toLocaleString("en"), most: most.toLocaleString("en") }) : "";
    note.classList.toggle("over", now > most);
  }
  function tooLong() {
    const area = [...paste.querySelectorAll("[data-most]")].find((text) => length(text) > Number(text.dataset.most));
    if (!area) return "";
    const most = Number(area.dataset.most).toLocaleString("en"), label = paste.querySelector(`label[for=${area.id}]`).textContent;
    return say('{label} has {now} characters, and at most {most} are read at once: shorten it, or send it under "Score files" with a paragraph a line.', { label, now: length(area).toLocaleString("en"), most });
  }
  paste.addEventListener("input", (event) => { if (event.target.dataset.most) count(event.target); });

  // What the texts say of themselves, while they are pasted
  let asked = 0;
  async function understand() {
    const turn = ++asked, source = $("source").value;
    await wait(400);
    if (turn !== asked) return;
    let said = "";
    if (source.trim() && !tooLong()) {
      const texts = { source, outputs: outputs().map((box) => box.querySelector("textarea").value), lang: $("paste-lang").value };
      if ($("paste-level").value) texts.level = $("paste-level").value;
      try {
        const found = await (await answer(await fetch(`/detect${words}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(texts) }))).json();
        said = `${named(found.lang, found.name)}${found.sure ? "" : say(" (not sure)")}${say(found.level === "passage" ? ", a passage" : ", a sentence")}`;
      } catch { /* scoring will say it */ }
    }
    if (turn === asked) $("understood").textContent = said;
  }
  for (const happens of ["input", "change"]) paste.addEventListener(happens, understand);
  for (const button of document.querySelectorAll("[data-example]"))
    button.addEventListener("click", () => {
      const code = $("paste-lang").value in EXAMPLES ? $("paste-lang").value : "";
      $("paste-lang").value = code;
      const example = EXAMPLES[code || (words ? spoken.split("-")[0] : "en")];
      $("source").value = example.source;
      $("output1").value = example[button.dataset.example];
      for (const id of ["source", "output1"]) changed($(id));
    });
  paste.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) paste.requestSubmit();
  });
  paste.addEventListener("submit", (event) => {
    event.preventDefault();
    working(paste, say("Scoring; the first time a language's models are loaded …"), async () => {
      if (tooLong()) throw new Error(tooLong());
      const texts = [...paste.querySelectorAll("[name=output]")].map((area) => area.value);
      const metrics = chosen(paste), references = $("references").value.split("\n").map((line) => line.trim()).filter(Boolean);
      const asked = { lang: $("paste-lang").value, source: $("source").value, outputs: texts.filter((text, place) => !place || text.trim()) };
      if ($("paste-level").value) asked.level = $("paste-level").value;
      if (metrics.length) asked.metrics = metrics;
      if (references.length) asked.references = references;
      if ($("paste-target").value) asked.target = $("paste-target").value;
      const response = await answer(await fetch(`/show${words}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(asked) }));
      shown = await response.text();
      show(paste, (result) => { result.innerHTML = shown; nameLanguages(result); });
      window.semaItems();
      $("result").focus({ preventScroll: true });
      $("result").scrollIntoView({ block: "nearest" });
    });
  });

  // Files
  const files = $("files").querySelector("form");
  let job = null;
  files.addEventListener("submit", (event) => {
    event.preventDefault();
    working(files, "", async () => {
      const data = new FormData();
      data.append("lang", $("files-lang").value);
      data.append("level", $("files-level").value || "detect");
      data.append("target", $("files-target").value);
      data.append("metrics", chosen(files).join(","));
      for (const name of ["source", "outputs", "references"])
        for (const file of files.querySelector(`[name=${name}]`).files) data.append(name, file);
      job = await (await answer(await fetch(`/jobs${words}`, { method: "POST", headers: { "x-sema": "1" }, body: data }))).json();
      await follow();
    });
  });
  async function follow() {
    $("job").hidden = false;
    try {
      while (job && ["waiting", "working"].includes(job.state)) {
        tell(job);
        await wait(400);
        if (job) {
          const found = await (await answer(await fetch(`/jobs/${job.id}${words}`))).json();
          if (job) job = found;
        }
      }
    } finally { $("job").hidden = true; }
    if (!job) return;
    if (job.state !== "done") throw new Error(`${say(`The job is ${job.state}:`)} ${job.error}`);
    await finish(job);
  }
  $("stop").addEventListener("click", async () => {
    const stopped = job;
    job = null;
    if (stopped) await fetch(`/jobs/${stopped.id}`, { method: "DELETE" });
  });
  function tell(found) {
    $("progress").max = Math.max(1, found.items);
    $("progress").value = found.done;
    const left = found.seconds_left === undefined ? "" : say(", about {n} s left", { n: Math.ceil(found.seconds_left) });
    $("job-state").textContent = found.state === "waiting" ? say("Waiting for its turn") : say("{done} of {n} items", { done: found.done, n: found.items }) + left;
  }
  const make = (name, text, parent) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    if (parent) parent.append(element);
    return element;
  };
  async function finish(found) {
    const box = make("div");
    box.className = "done";
    make("h2", say(found.items === 1 ? "{n} item" : "{n} items", { n: found.items }), box);
    const table = make("table", undefined, box), metrics = Object.keys(found.systems[0].scores);
    const head = make("tr", undefined, make("thead", undefined, table));
    table.setAttribute("role", "table"); // its rows are blocks on a phone
    for (const title of [say("system"), ...metrics]) make("th", title, head).scope = "col";
    const body = make("tbody", undefined, table);
    for (const system of found.systems) {
      const row = make("tr", undefined, body), label = make("th", system.name, row);
      row.setAttribute("role", "row");
      label.scope = "row";
      label.setAttribute("role", "rowheader");
      for (const name of metrics) {
        const cell = make("td", system.scores[name] === null ? "–" : system.scores[name].toFixed(1), row);
        cell.dataset.metric = name;
        cell.setAttribute("role", "cell");
      }
    }
    for (const warning of found.warnings || []) make("p", warning, box).className = "warning";
    if (found.failed) {
      make("p", say(found.failed === 1 ? "{n} output could not be scored:" : "{n} outputs could not be scored:", { n: found.failed }), box);
      const errors = make("ul", undefined, box);
      for (const error of found.errors) make("li", error, errors);
      if (found.failed > found.errors.length) make("li", say("… the report names them all"), errors);
    }
    const links = make("p", undefined, box);
    links.className = "line";
    for (const [path, text] of [[found.report, "Download the report"], [found.run, "Download the run"],
      [found.tables[0], "Items as .csv"], [found.tables[1], "Items as .xlsx"]]) {
      const link = make("a", say(text), links);
      link.href = path;
      link.download = "";
    }
    const items = make("div");
    items.className = "items";
    show(files, (result) => result.replaceChildren(box, items));
    $("result").focus({ preventScroll: true });
    box.scrollIntoView({ block: "nearest" });
    const fragment = async (path) => (await answer(await fetch(`/jobs/${found.id}/items${path}${words}`))).text();
    items.innerHTML = await fragment("");
    items.prepend(make("h2", say("Item by item, the worst first")));
    window.semaTable(items, (item) => fragment(`/${item}`));
    items.querySelector(".row button").click();
  }

  // A reload and the other language keep texts, choices, job and result; leaving the page forgets them
  let leaving = true;
  $("tongue").addEventListener("click", () => { leaving = false; });
  const fields = (form) => [...form.querySelectorAll("select[name], textarea[name=references], textarea[name=source]")];
  window.addEventListener("pagehide", () => {
    const kept = {
      fields: [paste, files].map((form) => fields(form).map((field) => field.value)),
      outputs: outputs().map((box) => box.querySelector("textarea").value),
      metrics: [...document.querySelectorAll("[name=metric]")].map((box) => box.checked),
      tab: tabs.findIndex((tab) => tab.getAttribute("aria-selected") === "true"),
      job: job && (shownBy === files || job.state !== "done") && job.id, files: shownBy === files, stale: !$("stale").hidden, shown, spoken, leaving,
    };
    try { sessionStorage.setItem(MEMORY, JSON.stringify(kept)); } catch { sessionStorage.removeItem(MEMORY); } // too much, or not allowed
  });
  function restore(kept) {
    [paste, files].forEach((form, which) => fields(form).forEach((field, place) => { field.value = kept.fields[which][place]; }));
    kept.outputs.forEach((text, place) => { if (place) add(text); else $("output1").value = text; });
    document.querySelectorAll("[name=metric]").forEach((box, place) => { box.checked = kept.metrics[place]; });
    for (const area of paste.querySelectorAll("[data-most]")) count(area);
    select(tabs[kept.tab]);
    understand();
    if (kept.shown && !kept.files && kept.spoken !== spoken) paste.requestSubmit();
    else if (kept.shown && !kept.files) {
      shown = kept.shown;
      show(paste, (result) => { result.innerHTML = shown; nameLanguages(result); });
      window.semaItems();
      stale(kept.stale);
    }
    if (kept.job) working(files, "", async () => {
      const response = await fetch(`/jobs/${kept.job}${words}`);
      if (response.status === 404) throw new Error(say("The job is gone, with its result: the server was started again, or made room. Send the files again."));
      await answer(response);
      job = await response.json();
      await follow();
    });
  }
  let kept = null;
  try {
    kept = JSON.parse(sessionStorage.getItem(MEMORY));
    sessionStorage.removeItem(MEMORY);
  } catch { /* no storage: nothing is kept */ }
  const came = performance.getEntriesByType("navigation")[0];
  if (kept && (!kept.leaving || (came && came.type !== "navigate"))) restore(kept);
})();
