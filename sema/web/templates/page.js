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
  const SYSTEMS = 8;

  function complain(text) {
    $("problem").textContent = text;
    $("problem").hidden = !text;
  }

  async function answer(response) {
    if (response.ok) return response;
    let detail = `the server answered ${response.status}`;
    try { detail = (await response.json()).detail || detail; } catch { /* no JSON: the status has to do */ }
    throw new Error(detail);
  }

  async function working(form, said, task) {
    const button = form.querySelector(".go");
    complain("");
    button.disabled = true;
    $("busy").textContent = said;
    try { await task(); } catch (error) {
      complain(error instanceof TypeError ? "The server cannot be reached; is it still running?" : error.message);
    } finally {
      button.disabled = false;
      $("busy").textContent = "";
    }
  }

  const chosen = (form) => [...form.querySelectorAll("[name=metric]:checked")].map((box) => box.value);

  // A target is of use to the metrics of levels alone
  for (const form of document.querySelectorAll("form"))
    form.querySelector("[name=target]").addEventListener("change", (event) => {
      for (const name of ["cefr", "cefr_hit"]) form.querySelector(`[name=metric][value=${name}]`).checked = event.target.value !== "";
    });

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
  $("add").addEventListener("click", () => {
    const count = $("outputs").children.length + 1;
    const box = $("outputs").firstElementChild.cloneNode(true), label = box.querySelector("label"), area = box.querySelector("textarea");
    area.value = "";
    area.id = `output${count}`;
    label.htmlFor = area.id;
    label.textContent = `Simplification ${count}`;
    $("outputs").append(box);
    $("add").hidden = count >= SYSTEMS;
    area.focus();
  });
  for (const button of document.querySelectorAll("[data-example]"))
    button.addEventListener("click", () => {
      const texts = EXAMPLES[$("paste-lang").value] || EXAMPLES.en;
      $("source").value = texts.source;
      $("output1").value = texts[button.dataset.example];
    });
  const paste = $("paste").querySelector("form");
  paste.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) paste.requestSubmit();
  });
  paste.addEventListener("submit", (event) => {
    event.preventDefault();
    working(paste, "Scoring; the first time a language's models are loaded …", async () => {
      const outputs = [...paste.querySelectorAll("[name=output]")].map((area) => area.value);
      const metrics = chosen(paste), references = $("references").value.split("\n").map((line) => line.trim()).filter(Boolean);
      const asked = { lang: $("paste-lang").value, source: $("source").value, level: $("paste-level").value,
        outputs: outputs.length > 1 ? outputs.filter((text, place) => !place || text.trim()) : outputs };
      if (metrics.length) asked.metrics = metrics;
      if (references.length) asked.references = references;
      if ($("paste-target").value) asked.target = $("paste-target").value;
      const response = await answer(await fetch("/show", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(asked) }));
      $("result").innerHTML = await response.text();
      window.semaItems();
      $("result").focus({ preventScroll: true });
      $("result").scrollIntoView({ block: "nearest" });
    });
  });

  // Files
  const files = $("files").querySelector("form");
  let job = null;
  const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  files.addEventListener("submit", (event) => {
    event.preventDefault();
    working(files, "", async () => {
      const data = new FormData();
      data.append("lang", $("files-lang").value);
      data.append("level", $("files-level").value);
      data.append("target", $("files-target").value);
      data.append("metrics", chosen(files).join(","));
      for (const name of ["source", "outputs", "references"])
        for (const file of files.querySelector(`[name=${name}]`).files) data.append(name, file);
      job = await (await answer(await fetch("/jobs", { method: "POST", headers: { "x-sema": "1" }, body: data }))).json();
      $("job").hidden = false;
      try {
        while (job && ["waiting", "working"].includes(job.state)) {
          tell(job);
          await wait(400);
          if (job) {
            const found = await (await answer(await fetch(`/jobs/${job.id}`))).json();
            if (job) job = found;
          }
        }
      } finally { $("job").hidden = true; }
      if (!job) return;
      if (job.state !== "done") throw new Error(`The job is ${job.state}: ${job.error}`);
      await finish(job);
    });
  });
  $("stop").addEventListener("click", async () => {
    const stopped = job;
    job = null;
    if (stopped) await fetch(`/jobs/${stopped.id}`, { method: "DELETE" });
  });
  function tell(found) {
    $("progress").max = Math.max(1, found.items);
    $("progress").value = found.done;
    const left = found.seconds_left === undefined ? "" : `, about ${Math.ceil(found.seconds_left)} s left`;
    $("job-state").textContent = found.state === "waiting" ? "Waiting for its turn" : `${found.done} of ${found.items} items${left}`;
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
    make("h2", `${found.items} item${found.items === 1 ? "" : "s"}`, box);
    const table = make("table", undefined, box), metrics = Object.keys(found.systems[0].scores);
    const head = make("tr", undefined, make("thead", undefined, table));
    table.setAttribute("role", "table"); // its rows are blocks on a phone
    for (const name of ["system", ...metrics]) make("th", name, head).scope = "col";
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
      make("p", `${found.failed} output${found.failed === 1 ? "" : "s"} could not be scored:`, box);
      const errors = make("ul", undefined, box);
      for (const error of found.errors) make("li", error, errors);
      if (found.failed > found.errors.length) make("li", "… the report names them all", errors);
    }
    const links = make("p", undefined, box);
    links.className = "line";
    for (const [path, text] of [[found.report, "Download the report"], [found.run, "Download the run"],
      [found.tables[0], "Items as .csv"], [found.tables[1], "Items as .xlsx"]]) {
      const link = make("a", text, links);
      link.href = path;
      link.download = "";
    }
    const items = make("div");
    items.className = "items";
    $("result").replaceChildren(box, items);
    $("result").focus({ preventScroll: true });
    box.scrollIntoView({ block: "nearest" });
    const fragment = async (path) => (await answer(await fetch(`/jobs/${found.id}/items${path}`))).text();
    items.innerHTML = await fragment("");
    items.prepend(make("h2", "Item by item, the worst first"));
    window.semaTable(items, (item) => fragment(`/${item}`));
    items.querySelector(".row button").click();
  }
})();
