// Draws a list of frames as a flame graph, with zoom by click and keyboard.
const rowHeight = 22;
/** The smallest drawn width of a frame, as a share of the view. */
const narrowest = 0.0005;

function start(flame) {
  const list = flame.querySelector("ol");
  const nodes = read(list);
  const [root] = nodes;
  if (!root || root.samples === 0) return;
  const view = { list, nodes, root, zoomed: root, current: root, ticks: Number(flame.dataset.ticks) };
  Object.assign(view, toolbar());
  flame.prepend(view.bar);
  flame.classList.add("drawn");
  list.setAttribute("role", "tree");
  list.setAttribute("aria-label", "Flame graph");
  for (const { item, index, depth } of nodes) {
    item.dataset.i = index;
    item.tabIndex = index === 0 ? 0 : -1;
    item.setAttribute("role", "treeitem");
    item.setAttribute("aria-level", depth + 1);
  }
  listen(view);
  draw(view);
  tell(view, root);
}

/** Reads the list as nodes with positions. Callees are side by side, from the left edge of their caller. */
function read(list) {
  const path = [];
  return Array.from(list.children, (item, index) => {
    const depth = Number(item.dataset.d);
    path.length = depth;
    const caller = path.at(-1) ?? null;
    const samples = Number(item.dataset.n);
    const at = caller ? caller.taken : 0;
    const node = { index, item, depth, caller, samples, at, taken: at, calls: [], last: index };
    node.self = Number(item.dataset.s);
    node.name = item.querySelector("bdi").textContent;
    node.owner = item.querySelector("i")?.textContent ?? "";
    if (caller) {
      caller.taken += samples;
      caller.calls.push(node);
    }
    for (const outer of path) outer.last = index;
    path.push(node);
    return node;
  });
}

const contains = (outer, inner) => inner.index > outer.index && inner.index <= outer.last;
const shown = (node) => Boolean(node) && !node.item.hidden;

/** Positions every frame. The callers of the zoomed frame are above it, over the whole width. */
function draw({ list, nodes, root, zoomed, whole }) {
  let deepest = 0;
  for (const node of nodes) {
    const { item } = node;
    const above = contains(node, zoomed);
    const inside = node === zoomed || contains(zoomed, node);
    const part = above ? 1 : node.samples / zoomed.samples;
    item.hidden = !(above || inside) || part < narrowest;
    if (item.hidden) continue;
    item.style.left = `${above ? 0 : (100 * (node.at - zoomed.at)) / zoomed.samples}%`;
    item.style.width = `${100 * part}%`;
    item.style.top = `${node.depth * rowHeight}px`;
    item.classList.toggle("above", above);
    deepest = Math.max(deepest, node.depth);
  }
  list.style.height = `${(deepest + 1) * rowHeight}px`;
  whole.disabled = zoomed === root;
}

function tell({ info, ticks }, { name, owner, samples, self }) {
  const share = (part) => `${((100 * part) / ticks).toFixed(2)} %`;
  const own = self > 0 ? `, ${share(self)} of its own` : "";
  info.textContent = `${name}${owner ? ` (${owner})` : ""}: ${share(samples)} of all tick samples${own}`;
}

function focus(view, node) {
  view.current.item.tabIndex = -1;
  view.current = node;
  node.item.tabIndex = 0;
  node.item.focus();
  tell(view, node);
}

function zoom(view, node) {
  view.zoomed = node;
  draw(view);
  focus(view, node);
}

/** The nearest visible frame in the same row. */
function beside({ nodes }, node, step) {
  for (let index = node.index + step; nodes[index]; index += step)
    if (nodes[index].depth === node.depth && shown(nodes[index])) return nodes[index];
  return null;
}

const moves = {
  ArrowDown: (_, node) => node.calls.find(shown),
  ArrowUp: (_, node) => node.caller,
  ArrowRight: (view, node) => beside(view, node, 1),
  ArrowLeft: (view, node) => beside(view, node, -1),
  Home: ({ zoomed }) => zoomed,
};

function press(view, node, event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const move = moves[event.key];
  const isZoom = event.key === "Enter" || event.key === " ";
  if (move || isZoom) event.preventDefault();
  const next = move?.(view, node);
  if (shown(next)) focus(view, next);
  if (isZoom) zoom(view, node);
  if (event.key === "Escape" && view.zoomed.caller) zoom(view, view.zoomed.caller);
}

function listen(view) {
  const { list, nodes, root, find, whole } = view;
  const on = (name, act) =>
    list.addEventListener(name, (event) => {
      const item = event.target.closest("li");
      if (item) act(nodes[Number(item.dataset.i)], event);
    });
  on("click", (node) => zoom(view, node));
  on("pointerover", (node) => tell(view, node));
  on("focusin", (node) => tell(view, node));
  on("keydown", (node, event) => press(view, node, event));
  whole.addEventListener("click", () => zoom(view, root));
  find.addEventListener("input", () => mark(view, find.value.trim().toLowerCase()));
}

/** Marks the frames whose name or owner contains the text. */
function mark({ nodes, info }, wanted) {
  let found = 0;
  for (const { item, name, owner } of nodes) {
    const matches = wanted !== "" && `${name} ${owner}`.toLowerCase().includes(wanted);
    item.classList.toggle("found", matches);
    if (matches) found += 1;
  }
  info.textContent = wanted === "" ? "" : `${found} ${found === 1 ? "frame" : "frames"} found`;
}

function toolbar() {
  const make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const find = make("input", { type: "search", autocomplete: "off" });
  const label = make("label", {}, "Find ", find);
  const whole = make("button", { type: "button", className: "plain", textContent: "Whole profile" });
  const info = make("p", { className: "flame-info" });
  info.setAttribute("role", "status");
  const hint = make("p", {
    className: "hint",
    textContent: "Click a frame, or move with the arrow keys and press Enter, to zoom in; Escape zooms out.",
  });
  return { bar: make("div", { className: "flame-bar" }, label, whole, info, hint), find, whole, info };
}

for (const flame of document.querySelectorAll(".flame")) start(flame);
