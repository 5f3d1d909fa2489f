import { listenToFingers, listenToWheel, scaled, shifted } from "./chart/gestures.ts";
import { showsIn, writeShows, type Shows } from "./flame/address.ts";
import { at, namesOf, treeOf, type FrameTree, type Names, type SentTree } from "./flame/frame-tree.ts";
import { KeptViews } from "./flame/kept-views.ts";
import { layoutOf, spanOf, type Layout, type Span } from "./flame/layout.ts";
import { movedBy } from "./flame/move.ts";
import { shareText, frameWordsOf } from "./flame/names.ts";
import { nextFound, search, type SearchResult } from "./flame/search.ts";
import { openedFor } from "./flame/table-rows.ts";
import { onThemeChange } from "./look/theme.ts";
import { FlameCanvas, rowHeight } from "./flame-page/canvas.ts";
import { listenToDrag, listenToKeys } from "./flame-page/graph-events.ts";
import { ownerPaints } from "./flame-page/paints.ts";
import type { Picture, Profile } from "./flame-page/picture.ts";
import { FlameTable } from "./flame-page/table.ts";
import { FlameControls } from "./flame-page/tools.ts";

/** A search is written into the address after this time without a key, ms. */
const quietMs = 300;

/** Rows above the zoomed frame. */
const rowsAbove = 2;

/** The flame graph of one profile. The page's address holds what it shows. */
class Flame {
  readonly #names: Names;
  readonly #calls: FrameTree;
  readonly #graph: HTMLElement;
  readonly #canvas: FlameCanvas;
  readonly #table: FlameTable;
  readonly #tools: FlameControls;
  readonly #profile: Profile;
  #shows: Shows = showsIn(new URLSearchParams());
  #tree: FrameTree;
  #layout: Layout;
  #found: SearchResult | null = null;
  #current = 0;
  #open = new Set<number>();
  readonly #views: KeptViews;
  /** For which view the tree, and for which text the search, was computed. */
  #viewOf = "";
  #foundFor = "";
  #timer = 0;

  constructor(flame: HTMLElement, sent: SentTree) {
    const part = (name: string) => flame.querySelector<HTMLElement>(name) ?? flame;
    this.#names = namesOf(sent);
    this.#calls = treeOf(sent);
    this.#views = new KeptViews(this.#calls, this.#names);
    this.#tree = this.#calls;
    this.#layout = layoutOf(this.#calls);
    const paints = ownerPaints(this.#calls, this.#names);
    const share = (samples: number) => shareText(samples, this.#names);
    this.#profile = { words: frameWordsOf(this.#names), share, fill: paints.fill };
    this.#graph = part(".flame-graph");
    for (const hidden of flame.querySelectorAll<HTMLElement>("[data-with-script]")) hidden.hidden = false;
    part("[data-without-script]").hidden = true;
    this.#canvas = new FlameCanvas(this.#graph, this.#profile);
    this.#table = new FlameTable(part(".flame-table"), this.#profile, {
      mark: (node) => this.#mark(node, "graph"),
      toggle: (node, isOpen) => this.#toggle(node, isOpen),
      zoom: (node) => this.#zoom(node),
    });
    this.#tools = new FlameControls(flame, this.#profile, {
      view: (view) => this.#go({ view, method: "", frame: 0, span: null, toggled: [] }),
      show: (shown) => this.#go({ shown }),
      find: (find) => this.#find(find),
      next: () => this.#next(),
      method: () => this.#goToMethod(),
      whole: () => this.#zoom(0),
    });
    this.#tools.legend(paints.legend, share);
    this.#tools.merged(this.#calls);
    this.#listen();
    addEventListener("popstate", () => this.#read(false));
    onThemeChange(() => {
      this.#tools.legend(paints.legend, share);
      this.#showTable();
    });
    this.#read(false);
  }

  #picture(): Picture {
    return { tree: this.#tree, layout: this.#layout, found: this.#found, current: this.#current };
  }

  /** Shows what the address holds. */
  #read(moves: boolean): void {
    const before = this.#shows;
    this.#shows = showsIn(new URL(location.href).searchParams);
    const { view, method, find, frame, span, toggled, shown } = this.#shows;
    const viewOf = `${view} ${method}`;
    const isNew = this.#viewOf !== viewOf;
    if (isNew) {
      const made = this.#views.of(view, method);
      this.#tree = made.tree;
      this.#layout = made.layout;
      this.#viewOf = viewOf;
    }
    if (isNew || find !== this.#foundFor) {
      this.#found = search(this.#tree, this.#names, find);
      this.#foundFor = find;
    }
    const zoomed = frame < this.#tree.size ? frame : 0;
    const hasMoved = isNew || zoomed !== before.frame || this.#current >= this.#tree.size;
    if (hasMoved) this.#current = zoomed;
    this.#open = new Set(openedFor(this.#tree, zoomed));
    for (const node of toggled) if (!this.#open.delete(node)) this.#open.add(node);
    this.#tools.arrange(this.#shows, zoomed);
    this.#canvas.show(this.#picture());
    const whole = at(this.#tree.total, 0) || 1;
    const target = span
      ? { from: span.from * whole, to: span.to * whole }
      : spanOf(this.#tree, this.#layout, zoomed);
    if (moves && !isNew) this.#canvas.moveTo(target);
    else this.#canvas.setSpan(target);
    if (hasMoved || shown !== before.shown) this.#settleRow(zoomed);
    this.#showTable();
    this.#tell();
  }

  /** Draws the table only if it is visible. */
  #showTable(): void {
    if (this.#shows.shown !== "graph") this.#table.show(this.#picture(), this.#open);
  }

  /** Scrolls to the zoomed frame; in the view of one method its row is in the middle. */
  #settleRow(zoomed: number): void {
    const callers = at(this.#layout.row, 0);
    const rows = this.#graph.clientHeight / rowHeight;
    if (zoomed === 0 && callers > 0) this.#canvas.reveal(0, Math.min(callers, Math.floor(rows / 2)));
    else this.#canvas.reveal(zoomed, rowsAbove);
  }

  /** Adds an entry to the browser's history, or replaces the present one. */
  #go(change: Partial<Shows>, isEntry = true): void {
    const address = new URL(location.href);
    writeShows({ ...this.#shows, ...change }, address.searchParams);
    if (address.href === location.href) return;
    history[isEntry ? "pushState" : "replaceState"](null, "", address);
    this.#read(isEntry);
  }

  #zoom(node: number): void {
    this.#current = node;
    if (node === this.#shows.frame && this.#shows.span === null) this.#read(true);
    else this.#go({ frame: node, span: null, toggled: [] });
  }

  #toggle(node: number, isOpen: boolean): void {
    this.#current = node;
    if (isOpen) this.#open.add(node);
    else this.#open.delete(node);
    this.#keepOpen();
    this.#table.show(this.#picture(), this.#open);
    this.#canvas.show(this.#picture());
    this.#tell();
  }

  /** Writes the open nodes into the address. */
  #keepOpen(): void {
    const usual = new Set(openedFor(this.#tree, this.#shows.frame));
    const toggled = [
      ...[...this.#open].filter((node) => !usual.has(node)),
      ...[...usual].filter((node) => !this.#open.has(node)),
    ];
    this.#shows = { ...this.#shows, toggled };
    const address = new URL(location.href);
    writeShows(this.#shows, address.searchParams);
    history.replaceState(null, "", address);
  }

  /** Marks a frame in the graph; with `both`, the table follows. */
  #mark(node: number, follows: "graph" | "both"): void {
    this.#current = node;
    this.#canvas.show(this.#picture());
    this.#canvas.reveal(node);
    if (follows === "both" && this.#shows.shown !== "graph") {
      const path = openedFor(this.#tree, node);
      if (path.every((step) => this.#open.has(step))) this.#table.mark(this.#picture());
      else {
        for (const step of path) this.#open.add(step);
        this.#table.show(this.#picture(), this.#open);
      }
    } else this.#table.mark(this.#picture());
    this.#tell();
  }

  #tell(): void {
    this.#tools.tell(this.#tree, this.#current, this.#found);
  }

  #find(find: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#go({ find }, false), quietMs);
  }

  #next(): void {
    const next = this.#found && nextFound(this.#tree, this.#found, this.#current);
    if (next !== null) this.#mark(next, "both");
  }

  #goToMethod(): void {
    const method = this.#names.methods[at(this.#tree.method, this.#current)];
    if (typeof method === "string") this.#go({ view: "method", method, frame: 0, span: null, toggled: [] });
  }

  #listen(): void {
    const [graph, canvas] = [this.#graph, this.#canvas];
    const moves = {
      shift: (share: number) => this.#move((span, limits) => shifted(span, share, limits)),
      scale: (factor: number, around: number) =>
        this.#move((span, limits) => scaled(span, factor, around, limits, Math.min(1, limits[1]))),
      settle: () => this.#settle(),
    };
    const over = () => graph.getBoundingClientRect();
    listenToWheel(graph, over, moves);
    listenToFingers(graph, over, moves);
    listenToDrag(graph, { ...moves, click: (event) => this.#click(event) });
    graph.addEventListener("pointermove", (event) => {
      const node = event.pointerType === "mouse" && event.buttons === 0 ? canvas.nodeUnder(event) : null;
      canvas.hover(node);
      this.#tools.point(this.#tree, node, event);
    });
    graph.addEventListener("pointerleave", (event) => {
      canvas.hover(null);
      this.#tools.point(this.#tree, null, event);
    });
    listenToKeys(graph, {
      moveTo: (key) => {
        const next = movedBy(key, this.#tree, this.#layout, this.#current);
        if (next !== null) this.#mark(next, "both");
      },
      zoomIn: () => this.#zoom(this.#current),
      zoomOut: () => this.#zoom(Math.max(0, at(this.#tree.parent, this.#shows.frame))),
      scale: (factor) => {
        moves.scale(factor, 0.5);
        moves.settle();
      },
    });
  }

  #click(event: MouseEvent): void {
    const node = this.#canvas.nodeUnder(event);
    if (node !== null) this.#zoom(node);
  }

  #move(
    change: (span: readonly [number, number], limits: readonly [number, number]) => readonly [number, number],
  ) {
    const { from, to } = this.#canvas.span;
    const [left, right] = change([from, to], [0, at(this.#tree.total, 0) || 1]);
    this.#canvas.setSpan({ from: left, to: right });
  }

  /** Writes the stretch after a gesture into the address. */
  #settle(): void {
    const whole = at(this.#tree.total, 0) || 1;
    const { from, to } = this.#canvas.span;
    const span: Span = { from: from / whole, to: to / whole };
    const own = spanOf(this.#tree, this.#layout, this.#shows.frame);
    if (own.from === from && own.to === to) return;
    const address = new URL(location.href);
    const hadSpan = this.#shows.span !== null;
    this.#shows = { ...this.#shows, span };
    writeShows(this.#shows, address.searchParams);
    // Several gestures are one entry of the history.
    history[hadSpan ? "replaceState" : "pushState"](null, "", address);
  }
}

async function start(flame: HTMLElement): Promise<void> {
  const address = new URL(location.pathname, location.href);
  address.searchParams.set("data", "tree");
  const answer = await fetch(address, { headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(`The tree was answered with ${answer.status}.`);
  const sent = (await answer.json()) as SentTree;
  if (sent.held_samples > 0) void new Flame(flame, sent);
}

for (const flame of document.querySelectorAll<HTMLElement>(".flame"))
  start(flame).catch(() => {
    const failed = flame.querySelector<HTMLElement>("[data-failed]");
    if (failed) failed.hidden = false;
  });
