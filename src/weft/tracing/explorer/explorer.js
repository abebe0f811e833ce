"use strict";
const DATA = JSON.parse(document.getElementById("data").textContent);
const HEIGHT = 18, MARGIN = 30;
const $ = (id) => document.getElementById(id);
const escape = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const state = { trace: 0, pin: null, cursor: null, hidden: new Set(), find: "", diff: false, control: true, live: true,
  past: [], future: [] };
let panes = [], marks = [], makers = new Set(), trace = null;

// The data: rows of every stage, and links in both directions.
function prepare(one) {
  if (one.ready) return one;
  one.stages.forEach((stage, index) => {
    stage.lines = stage.text.split("\n");
    stage.at = new Map();
    stage.spans.forEach((span, number) => {
      if (!stage.at.has(span[0])) stage.at.set(span[0], []);
      stage.at.get(span[0]).push(number);
    });
    stage.index = index;
    stage.down = new Map();
    stage.up = new Map();
  });
  for (const link of one.links) {
    const from = one.stages[link.source], to = one.stages[link.target];
    for (const [a, b] of link.edges) {
      if (!from.down.has(a)) from.down.set(a, []);
      if (!to.up.has(b)) to.up.set(b, []);
      from.down.get(a).push(b);
      to.up.get(b).push(a);
    }
  }
  one.ready = true;
  return one;
}

function related(index, spans) {
  const found = trace.stages.map(() => new Set());
  spans.forEach((span) => found[index].add(span));
  for (const [step, key] of [[1, "down"], [-1, "up"]])
    for (let i = index; i + step >= 0 && i + step < trace.stages.length; i += step)
      for (const span of found[i]) for (const other of trace.stages[i][key].get(span) || []) found[i + step].add(other);
  return found;
}

// Colours of words: enough for MLIR, PTX, machine code, C++ and Python.
const WORDS = /(\/\/.*|#(?:loc)?\d*\b.*(?=$)|"(?:[^"\\]|\\.)*")|([%@$!]?[A-Za-z_][\w.$:]*)|(\b(?:0[xfd])?[0-9A-Fa-f]+\b)/g;
function coloured(text, language) {
  let out = "", end = 0, first = true;
  for (const match of text.matchAll(WORDS)) {
    if (match[1] && match[1][0] === "#" && language !== "python") continue;
    out += escape(text.slice(end, match.index));
    let kind = match[1] ? "c" : match[3] ? "n" : "";
    if (match[2]) {
      const register = /^[%]|^!?(?:U?R|U?P)(?:\d+|Z|T)\b/.test(match[2]);
      if (register) kind = "r";
      else if (first || /^[a-z_]+\.[a-z]/.test(match[2]) || /^\./.test(match[2])) kind = "w";
      if (!register && match[2][0] !== "@") first = false;
    }
    out += kind ? `<span class="${kind}">${escape(match[0])}</span>` : escape(match[0]);
    end = match.index + match[0].length;
  }
  return out + escape(text.slice(end));
}

function kernelOf(name) { return trace.kernels.find((kernel) => kernel.name === name) || trace.kernels[0]; }

class Pane {
  constructor(stage) {
    this.stage = stage;
    this.node = document.createElement("section");
    this.node.className = "pane " + stage.name;
    this.node.innerHTML = `<h2>${escape(stage.name)} <small>${stage.spans.length} statements</small></h2>
      <div class="body"><div class="rows" tabindex="0" role="list" aria-label="${escape(stage.name)}"><div class="space"></div></div>
      <canvas class="map" width="26"></canvas></div>`;
    this.rows = this.node.querySelector(".rows");
    this.space = this.node.querySelector(".space");
    this.map = this.node.querySelector("canvas");
    this.space.style.height = stage.lines.length * HEIGHT + "px";
    const widest = Math.min(400, stage.lines.reduce((most, line) => Math.max(most, line.length), 0));
    this.space.style.width = `calc(${widest + (stage.columns.control ? 42 : 8)}ch + 40px)`;
    this.rows.addEventListener("scroll", () => this.draw());
    this.rows.addEventListener("mousemove", (event) => { const n = this.line(event); if (n !== this.over) { this.over = n; hover(this, n); } });
    this.rows.addEventListener("mouseleave", () => { this.over = null; hover(this, null); });
    this.rows.addEventListener("click", (event) => pin(this.stage.index, this.line(event), true));
    this.rows.addEventListener("focus", () => focusPane(this));
    this.map.addEventListener("click", (event) => {
      this.scroll(Math.round((event.offsetY / this.map.clientHeight) * stage.lines.length));
    });
  }
  line(event) {
    const row = event.target.closest(".row");
    return row ? +row.dataset.line : null;
  }
  scroll(line) { this.rows.scrollTop = Math.max(0, line * HEIGHT - this.rows.clientHeight / 2); this.draw(); }
  visible(line) {
    const top = this.rows.scrollTop / HEIGHT;
    return line > top + 1 && line < top + this.rows.clientHeight / HEIGHT - 1;
  }
  draw() {
    const first = Math.max(1, Math.floor(this.rows.scrollTop / HEIGHT) - MARGIN);
    const last = Math.min(this.stage.lines.length, first + Math.ceil(this.rows.clientHeight / HEIGHT) + 2 * MARGIN);
    const parts = [];
    for (let line = first; line <= last; line++) parts.push(this.row(line));
    this.space.innerHTML = parts.join("") + this.arcs();
    this.drawMap();
  }
  row(line) {
    const stage = this.stage, numbers = stage.at.get(line) || [], columns = stage.columns, n = numbers[0];
    const names = ["row"], marked = marks[stage.index] || new Set(), text = stage.lines[line - 1];
    if (!numbers.length) names.push("bare");
    else if (trace.stages.length > 1 && !numbers.some((k) => (stage.down.get(k) || stage.up.get(k) || []).length)) names.push("bare");
    if (numbers.some((k) => marked.has(k))) names.push("mark");
    if (state.pin && state.pin[0] === stage.index && state.pin[1] === line) names.push("pin");
    if (state.cursor && state.cursor[0] === stage.index && state.cursor[1] === line) names.push("cursor");
    if (columns.waits && numbers.some((k) => makers.has(k))) names.push("maker");
    if (state.diff && stage.changed && numbers.some((k) => stage.changed.includes(k))) names.push("changed");
    if (state.find && text.toLowerCase().includes(state.find)) names.push("found");
    const said = n !== undefined && columns.diagnostics ? columns.diagnostics[n].join("\n") : "";
    if (said) names.push("problem");
    let front = `<span class="no">${line}</span>`, style = "", title = said;
    if (columns.control && n !== undefined) {
      const live = columns.live[n][0], kernel = kernelOf(stage.spans[n][2]), most = Math.max(1, kernel.registers);
      front = `<span class="no">${columns.address[n].toString(16).padStart(4, "0")}</span>` +
        `<span class="control">${columns.control[n].replace(/^B([-\d]+)/, (all, b) => "B" + b.replace(/\d/g, "<b>$&</b>"))}</span>` +
        `<span class="count">${live}</span><span class="live${live >= most - 2 ? " full" : ""}"><i style="width:${(100 * live) / most}%"></i></span>`;
      title = advice(live, kernel, columns.stall[n]);
      if (columns.loop[n]) style = `;background-image:linear-gradient(rgba(var(--loop),${0.07 * columns.loop[n]}) 0 0)`;
    }
    if (columns.executed && n !== undefined) {
      const most = Math.max(1, ...(stage.most ||= [columns.executed.reduce((a, b) => Math.max(a, b), 0)]));
      front += `<span class="count ran">${columns.executed[n]}</span><span class="live ran"><i style="width:${(100 * columns.executed[n]) / most}%"></i></span>`;
      title = `${columns.executed[n]} warps, ${columns.active[n]} lanes each` + (columns.sectors[n] ? `, ${columns.sectors[n]} sectors` : "") +
        (columns.conflicts[n] ? `, ${columns.conflicts[n]} bank conflicts` : "") + (title ? `\n${title}` : "");
    }
    return `<div class="${names.join(" ")}" role="listitem" data-line="${line}" style="top:${(line - 1) * HEIGHT}px${style}"` +
      (title ? ` title="${escape(title)}"` : "") + `>${front}<span class="text">${coloured(text, stage.language)}</span></div>`;
  }
  arcs() {
    const spot = state.hover && state.hover[0] === this.stage.index ? state.hover[1] : state.pin && state.pin[0] === this.stage.index ? state.pin[1] : null;
    if (!this.stage.columns.waits || spot === null) return "";
    const lines = [];
    for (const n of this.stage.at.get(spot) || []) for (const maker of this.stage.columns.waits[n]) lines.push(this.stage.spans[maker][0]);
    if (!lines.length) return "";
    const y = (line) => (line - 0.5) * HEIGHT;
    const paths = lines.map((line) => {
      const reach = Math.min(50, 8 + Math.abs(spot - line) / 2);
      return `<path d="M0 ${y(spot)} C ${reach} ${y(spot)}, ${reach} ${y(line)}, 0 ${y(line)}"/><path d="M6 ${y(line) - 4} L0 ${y(line)} L6 ${y(line) + 4}"/>`;
    });
    return `<svg class="arcs" style="left:${this.rows.scrollLeft + this.rows.clientWidth - 70}px;height:${this.stage.lines.length * HEIGHT}px">${paths.join("")}</svg>`;
  }
  drawMap() {
    const canvas = this.map, height = (canvas.height = canvas.clientHeight || 300), context = canvas.getContext("2d");
    const style = getComputedStyle(document.documentElement), colour = (name) => style.getPropertyValue(name).trim();
    const stage = this.stage, total = stage.lines.length, y = (line) => ((line - 1) / total) * height;
    context.clearRect(0, 0, 26, height);
    const thick = Math.max(1, height / total);
    if (stage.columns.live) {
      context.fillStyle = colour("--bar");
      stage.spans.forEach((span, n) => {
        const most = Math.max(1, kernelOf(span[2]).registers);
        context.fillRect(0, y(span[0]), (18 * stage.columns.live[n][0]) / most, thick);
      });
    }
    context.fillStyle = colour("--wait");
    for (const n of marks[stage.index] || []) context.fillRect(18, y(stage.spans[n][0]), 8, Math.max(2, thick));
    if (state.find) {
      context.fillStyle = colour("--find");
      stage.lines.forEach((text, i) => { if (text.toLowerCase().includes(state.find)) context.fillRect(14, y(i + 1), 6, Math.max(2, thick)); });
    }
    context.strokeStyle = colour("--fore");
    context.strokeRect(0.5, y(this.rows.scrollTop / HEIGHT + 1), 25, Math.max(4, (this.rows.clientHeight / HEIGHT / total) * height));
  }
}

function advice(live, kernel, stall) {
  const parts = [`${live} live, ${kernel.registers} allocated`], occupancy = kernel.occupancy;
  if (occupancy && occupancy.next)
    parts.push(`${occupancy.next} registers would allow ${occupancy.blocks + 1} blocks` + (live > occupancy.next ? `: free ${live - occupancy.next} here` : ""));
  parts.push(`stalls ${stall} cycle${stall === 1 ? "" : "s"}`);
  return parts.join("; ");
}

// What is marked: the hovered line, or the pinned one.
function mark() {
  const spot = state.hover || state.pin;
  marks = trace.stages.map(() => new Set());
  makers = new Set();
  let note = "Point at a line to mark what it came from and what became of it; click to keep it.";
  if (spot) {
    const stage = trace.stages[spot[0]], numbers = stage.at.get(spot[1]) || [];
    marks = related(spot[0], numbers);
    if (stage.columns.waits) for (const n of numbers) stage.columns.waits[n].forEach((one) => makers.add(one));
    note = describe(stage, numbers);
  }
  $("note").textContent = note;
  panes.forEach((pane) => pane.draw());
}
function describe(stage, numbers) {
  if (!numbers.length) return "No statement.";
  const parts = [], n = numbers[0];
  if (stage.columns.waits) {
    const text = (k) => stage.lines[stage.spans[k][0] - 1].trim().replace(/^@!?\S+ /, "").split(" ")[0];
    const makers = stage.columns.waits[n];
    if (makers.length) parts.push(`${text(n)} waits for ` + makers.map((k) => `${text(k)} ${stage.columns.address[k].toString(16).padStart(4, "0")}`).slice(0, 6).join(", "));
    parts.push(advice(stage.columns.live[n][0], kernelOf(stage.spans[n][2]), stage.columns.stall[n]));
  }
  marks.forEach((set, i) => { if (i !== stage.index) parts.push(set.size ? `${set.size} in ${trace.stages[i].name}` : i > stage.index ? `no code in ${trace.stages[i].name}` : `no place in ${trace.stages[i].name}`); });
  return parts.join(" · ");
}
function hover(pane, line) {
  state.hover = line === null ? null : [pane.stage.index, line];
  mark();
}
function reveal(index) {
  panes.forEach((pane) => {
    if (pane.stage.index === index) return;
    const lines = [...(marks[pane.stage.index] || [])].map((n) => pane.stage.spans[n][0]).sort((a, b) => a - b);
    if (lines.length && !lines.some((line) => pane.visible(line))) pane.scroll(lines[0]);
  });
}
function pin(index, line, remember) {
  if (line === null) return;
  const same = state.pin && state.pin[0] === index && state.pin[1] === line;
  if (remember && state.pin) state.past.push(state.pin);
  if (remember) state.future = [];
  state.pin = same && remember ? null : [index, line];
  state.cursor = [index, line];
  state.hover = null;
  mark();
  if (state.pin) reveal(index);
  remembered();
}
function focusPane(pane) { panes.forEach((one) => one.node.classList.toggle("current", one === pane)); }
function current() { return panes.find((pane) => pane.node.classList.contains("current")) || panes[panes.length - 1]; }

// Where one is, in the address: stage, line, target, what is hidden.
function remembered() {
  const parts = new URLSearchParams();
  if (state.trace) parts.set("target", DATA.traces[state.trace].target);
  if (state.pin) parts.set("at", `${trace.stages[state.pin[0]].name}:${state.pin[1]}`);
  if (state.hidden.size) parts.set("hide", [...state.hidden].join(","));
  if (state.find) parts.set("find", state.find);
  const text = parts.toString();
  try { history.replaceState(null, "", text ? "#" + text : location.pathname + location.search); } catch { /* in a notebook */ }
}
function restore() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const target = DATA.traces.findIndex((one) => one.target === parts.get("target"));
  state.hidden = new Set((parts.get("hide") || "").split(",").filter(Boolean));
  state.find = (parts.get("find") || "").toLowerCase();
  $("find").value = state.find;
  show(Math.max(0, target));
  const [name, line] = (parts.get("at") || "").split(":");
  const index = trace.stages.findIndex((stage) => stage.name === name);
  if (index >= 0 && +line) { pin(index, +line, false); const pane = panes.find((one) => one.stage.index === index); if (pane) pane.scroll(+line); }
}

function show(number) {
  state.trace = number;
  state.pin = state.hover = state.cursor = null;
  trace = prepare(DATA.traces[number]);
  marks = [];
  $("target").value = number;
  $("facts").textContent = $("facts").title = trace.kernels.map(facts).join("\n");
  const main = document.querySelector("main");
  main.replaceChildren();
  panes = trace.stages.filter((stage) => !state.hidden.has(stage.name)).map((stage) => new Pane(stage));
  panes.forEach((pane) => main.append(pane.node));
  $("stages").innerHTML = trace.stages.map((stage) => `<button data-stage="${escape(stage.name)}" aria-pressed="${!state.hidden.has(stage.name)}">${escape(stage.name)}</button>`).join(" ");
  $("diff").hidden = !trace.stages.some((stage) => stage.changed);
  if (panes.length) focusPane(panes[0]);
  mark();
}
function facts(kernel) {
  const parts = [`${kernel.name}: ${kernel.registers} registers`, `${kernel.live} live`, `${kernel.shared_bytes} B shared`, `${kernel.spill_bytes} B spilled`];
  const found = kernel.occupancy;
  if (found) parts.push(`${found.blocks} blocks, ${Math.round(100 * found.fraction)} % (${found.limited_by.join(", ")})`);
  return parts.join(" · ");
}

function search(step) {
  const pane = current(), lines = [];
  pane.stage.lines.forEach((text, i) => { if (state.find && text.toLowerCase().includes(state.find)) lines.push(i + 1); });
  go(pane, lines, step);
}
function go(pane, lines, step) {
  if (!lines.length) return;
  const here = state.cursor && state.cursor[0] === pane.stage.index ? state.cursor[1] : 0;
  const next = step > 0 ? lines.find((line) => line > here) ?? lines[0] : [...lines].reverse().find((line) => line < here) ?? lines[lines.length - 1];
  state.cursor = [pane.stage.index, next];
  pane.scroll(next);
}
function nextMark(step) {
  const pane = current(), set = marks[pane.stage.index] || new Set();
  go(pane, [...new Set([...set].map((n) => pane.stage.spans[n][0]))].sort((a, b) => a - b), step);
}
function move(step) {
  const pane = current(), here = state.cursor && state.cursor[0] === pane.stage.index ? state.cursor[1] : Math.floor(pane.rows.scrollTop / HEIGHT) + 1;
  const line = Math.min(pane.stage.lines.length, Math.max(1, here + step));
  state.cursor = state.hover = [pane.stage.index, line];
  if (!pane.visible(line)) pane.scroll(line);
  mark();
}
function historyStep(from, to) {
  if (!from.length) return;
  if (state.pin) to.push(state.pin);
  const [index, line] = from.pop();
  pin(index, line, false);
  const pane = panes.find((one) => one.stage.index === index);
  if (pane) pane.scroll(line);
}
const KEYS = {
  n: () => (state.find ? search(1) : nextMark(1)), p: () => (state.find ? search(-1) : nextMark(-1)),
  j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1),
  Enter: () => state.cursor && pin(...state.cursor, true),
  Escape: () => { state.pin = state.hover = null; state.find = $("find").value = ""; mark(); remembered(); },
  "/": () => $("find").focus(), "[": () => historyStep(state.past, state.future), "]": () => historyStep(state.future, state.past),
  d: () => $("diff").click(), t: () => $("theme").click(), "?": () => $("help").showModal(),
  h: () => step(-1), l: () => step(1), ArrowLeft: () => step(-1), ArrowRight: () => step(1),
};
function step(by) {
  const index = panes.indexOf(current()), next = panes[index + by];
  if (next) { next.rows.focus(); focusPane(next); }
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.tagName === "INPUT") {
    if (event.key === "Enter") { event.preventDefault(); search(1); event.target.blur(); }
    else if (event.key === "Escape") { event.target.blur(); KEYS.Escape(); }
    return;
  }
  if (event.target.tagName === "SELECT") return;
  if (KEYS[event.key]) { event.preventDefault(); KEYS[event.key](); }
});
$("find").addEventListener("input", () => { state.find = $("find").value.toLowerCase(); remembered(); mark(); });
$("target").innerHTML = DATA.traces.map((one, i) => `<option value="${i}">${escape(one.name.split("/").pop())} ▸ ${escape(one.target)}</option>`).join("");
$("target").addEventListener("change", () => { const at = state.pin && trace.stages[state.pin[0]].name; const line = state.pin && state.pin[1];
  show(+$("target").value); const i = trace.stages.findIndex((stage) => stage.name === at); if (i >= 0 && i < trace.stages.length - 2) pin(i, line, false); remembered(); });
$("stages").addEventListener("click", (event) => {
  const name = event.target.dataset.stage;
  if (!name) return;
  state.hidden.has(name) ? state.hidden.delete(name) : state.hidden.add(name);
  const kept = state.pin;
  show(state.trace);
  if (kept) pin(...kept, false);
  remembered();
});
for (const name of ["control", "live"]) $(name).addEventListener("click", () => {
  state[name] = !state[name];
  $(name).setAttribute("aria-pressed", state[name]);
  document.body.classList.toggle("hide-" + name, !state[name]);
});
$("diff").addEventListener("click", () => { state.diff = !state.diff; $("diff").setAttribute("aria-pressed", state.diff); mark(); });
$("theme").addEventListener("click", () => {
  const root = document.documentElement, dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  mark();
});
$("ask").addEventListener("click", () => $("help").showModal());
addEventListener("resize", () => panes.forEach((pane) => pane.draw()));
addEventListener("hashchange", restore);
restore();
if (DATA.stamp) setInterval(async () => {
  try { if ((await (await fetch("stamp")).text()) !== DATA.stamp) location.reload(); } catch { /* the server is gone */ }
}, 1000);
document.documentElement.dataset.ready = "true";
