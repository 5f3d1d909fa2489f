import { at } from "../flame/frame-tree.ts";
import { tableRows, type TableRow } from "../flame/table-rows.ts";
import type { Picture, Profile } from "./picture.ts";

interface TableActs {
  /** The row got the focus. */
  mark(node: number): void;
  toggle(node: number, isOpen: boolean): void;
  zoom(node: number): void;
}

/** A row for each frame, with its callees below it when it is open. */
export class FlameTable {
  readonly #body: HTMLElement;
  readonly #profile: Profile;
  readonly #acts: TableActs;
  #picture: Picture | null = null;
  #rows: TableRow[] = [];

  constructor(table: HTMLElement, profile: Profile, acts: TableActs) {
    this.#body = table.querySelector("tbody") ?? table;
    this.#profile = profile;
    this.#acts = acts;
    this.#body.addEventListener("click", (event) => this.#click(event));
    this.#body.addEventListener("dblclick", (event) => {
      const row = this.#rowOf(event);
      if (row) acts.zoom(row.node);
    });
    this.#body.addEventListener("keydown", (event) => this.#press(event));
  }

  show(picture: Picture, open: ReadonlySet<number>): void {
    const hadFocus = this.#body.contains(document.activeElement);
    this.#picture = picture;
    this.#rows = tableRows(picture.tree, open, picture.current);
    this.#body.replaceChildren(...this.#rows.map((row, index) => this.#draw(picture, row, index)));
    const current = this.#body.querySelector<HTMLElement>('[tabindex="0"]');
    if (hadFocus) current?.focus();
    else this.#scrollTo(current);
  }

  mark(picture: Picture): void {
    this.#picture = picture;
    for (const row of this.#body.querySelectorAll<HTMLElement>('[aria-selected="true"]')) {
      row.setAttribute("aria-selected", "false");
      row.tabIndex = -1;
    }
    const index = this.#rows.findIndex(({ node }) => node === picture.current);
    const row = this.#body.children[index];
    if (!(row instanceof HTMLElement)) return;
    row.setAttribute("aria-selected", "true");
    row.tabIndex = 0;
    this.#scrollTo(row);
  }

  /** Scrolls the table, not the page. */
  #scrollTo(row: HTMLElement | null): void {
    const pane = row?.closest<HTMLElement>("[data-pane]");
    if (!row || !pane) return;
    const [box, around] = [row.getBoundingClientRect(), pane.getBoundingClientRect()];
    const head = 32;
    if (box.top < around.top + head) pane.scrollTop += box.top - around.top - head;
    else if (box.bottom > around.bottom) pane.scrollTop += box.bottom - around.bottom;
  }

  #draw({ tree, current, found }: Picture, row: TableRow, index: number): HTMLElement {
    const { node, level, hasChildren, isOpen, hidden } = row;
    const { words, share, fill } = this.#profile;
    const { method, className, name, owner } = words(tree, node);
    const line = document.createElement("tr");
    line.dataset["row"] = String(index);
    line.tabIndex = node === current ? 0 : -1;
    line.setAttribute("aria-level", String(level));
    line.setAttribute("aria-posinset", String(row.place));
    line.setAttribute("aria-setsize", String(row.siblings));
    line.setAttribute("aria-selected", String(node === current));
    if (hasChildren) line.setAttribute("aria-expanded", String(isOpen));
    if (found && at(found.methods, at(tree.method, node)) === 1) line.className = "found";
    const cell = document.createElement("td");
    cell.title = name;
    cell.style.paddingInlineStart = `${Math.min(level - 1, 20) * 8 + 4}px`;
    const twist = document.createElement("span");
    twist.className = "twist";
    twist.setAttribute("aria-hidden", "true");
    twist.textContent = !hasChildren ? "" : isOpen ? "▾" : "▸";
    const swatch = document.createElement("span");
    swatch.className = "swatch";
    swatch.style.background = fill(tree, node, false);
    const direction = node >= tree.firstCaller ? "called by " : "";
    cell.append(twist, swatch, ...(direction === "" ? [] : [quiet(direction)]), text("b", method));
    if (className !== "") cell.append(" ", quiet(className));
    if (hidden > 0) cell.append(" ", quiet(`(${hidden} smaller ones are not listed)`));
    line.append(
      cell,
      text("td", owner),
      text("td", share(at(tree.total, node)), "num"),
      text("td", share(at(tree.self, node)), "num"),
    );
    return line;
  }

  #rowOf({ target }: Event): TableRow | null {
    const line = target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null;
    return this.#rows[Number(line?.dataset["row"] ?? -1)] ?? null;
  }

  #click(event: MouseEvent): void {
    const row = this.#rowOf(event);
    if (!row) return;
    const isTwist = event.target instanceof Element && event.target.closest(".twist") !== null;
    if (isTwist && row.hasChildren) this.#acts.toggle(row.node, !row.isOpen);
    else this.#acts.mark(row.node);
  }

  #press(event: KeyboardEvent): void {
    const row = this.#rowOf(event);
    const picture = this.#picture;
    if (!row || !picture || event.ctrlKey || event.metaKey || event.altKey) return;
    const index = this.#rows.indexOf(row);
    const parent = at(picture.tree.parent, row.node);
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => this.#focus(index + 1),
      ArrowUp: () => this.#focus(index - 1),
      Home: () => this.#focus(0),
      End: () => this.#focus(this.#rows.length - 1),
      ArrowRight: () =>
        row.hasChildren && !row.isOpen ? this.#acts.toggle(row.node, true) : this.#focus(index + 1),
      ArrowLeft: () =>
        row.isOpen
          ? this.#acts.toggle(row.node, false)
          : this.#focus(this.#rows.findIndex(({ node }) => node === parent)),
      Enter: () => this.#acts.zoom(row.node),
      " ": () => row.hasChildren && this.#acts.toggle(row.node, !row.isOpen),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  #focus(index: number): void {
    const row = this.#rows[index];
    const line = this.#body.children[index];
    if (!row || !(line instanceof HTMLElement)) return;
    this.#acts.mark(row.node);
    line.focus({ preventScroll: true });
  }
}

function text(name: "b" | "td" | "span", content: string, className = ""): HTMLElement {
  const element = document.createElement(name);
  const isolated = document.createElement("bdi");
  isolated.textContent = content;
  element.append(isolated);
  element.className = className;
  return element;
}

const quiet = (content: string): HTMLElement => text("span", content, "quiet");
