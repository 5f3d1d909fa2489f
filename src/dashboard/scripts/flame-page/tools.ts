import type { Shown, Shows, ViewName } from "../flame/address.ts";
import { at, type FrameTree } from "../flame/frame-tree.ts";
import { splitName } from "../flame/names.ts";
import type { SearchResult } from "../flame/search.ts";
import type { LegendEntry } from "./paints.ts";
import type { Profile } from "./picture.ts";

interface ToolActs {
  view(view: ViewName): void;
  show(shown: Shown): void;
  find(text: string): void;
  /** Moves to the next frame that was found. */
  next(): void;
  /** Shows callers and callees of the marked method. */
  method(): void;
  /** Shows the whole profile. */
  whole(): void;
}

/** The distance of the note from the pointer, CSS pixels. */
const apart = 14;

/** Buttons, search, the text on the marked frame, and the note at the pointer. */
export class FlameControls {
  readonly #flame: HTMLElement;
  readonly #profile: Profile;
  readonly #acts: ToolActs;

  constructor(flame: HTMLElement, profile: Profile, acts: ToolActs) {
    this.#flame = flame;
    this.#profile = profile;
    this.#acts = acts;
    for (const button of flame.querySelectorAll<HTMLElement>("button[data-view]"))
      button.addEventListener("click", () => acts.view((button.dataset["view"] ?? "calls") as ViewName));
    for (const button of flame.querySelectorAll<HTMLElement>("button[data-show]"))
      button.addEventListener("click", () => acts.show((button.dataset["show"] ?? "graph") as Shown));
    const find = this.#find;
    find.addEventListener("input", () => acts.find(find.value));
    find.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      acts.next();
    });
    this.#part("[data-next]").addEventListener("click", () => acts.next());
    this.#part("[data-method]").addEventListener("click", () => acts.method());
    this.#part("[data-whole]").addEventListener("click", () => acts.whole());
  }

  get #find(): HTMLInputElement {
    const find = this.#flame.querySelector("input");
    if (!find) throw new Error("The flame graph has no search.");
    return find;
  }

  #part(selector: string): HTMLElement {
    const part = this.#flame.querySelector<HTMLElement>(selector);
    if (!part) throw new Error(`The flame graph has no ${selector}.`);
    return part;
  }

  /** Shows which view is on. */
  arrange({ view, method, find, shown, span }: Shows, zoomed: number): void {
    this.#flame.dataset["shown"] = shown;
    for (const button of this.#flame.querySelectorAll<HTMLElement>("button[data-view]")) {
      const { view: own } = button.dataset;
      button.setAttribute("aria-pressed", String(own === view));
      if (own === "method") {
        button.hidden = view !== "method";
        button.textContent = `Callers and callees of ${splitName(method).method}`;
      }
    }
    for (const button of this.#flame.querySelectorAll<HTMLElement>("button[data-show]"))
      button.setAttribute("aria-pressed", String(button.dataset["show"] === shown));
    for (const words of this.#flame.querySelectorAll<HTMLElement>("[data-explains]"))
      words.hidden = words.dataset["explains"] !== view;
    if (document.activeElement !== this.#find) this.#find.value = find;
    (this.#part("[data-whole]") as HTMLButtonElement).disabled = zoomed === 0 && span === null;
  }

  /** Describes the marked frame and the result of a search. */
  tell(tree: FrameTree, node: number, found: SearchResult | null): void {
    const { share, words } = this.#profile;
    const { method, className, packageName, owner, name } = words(tree, node);
    const [total, self] = [at(tree.total, node), at(tree.self, node)];
    this.#part("[data-name]").textContent = method;
    this.#part("[data-class]").textContent = [packageName, className].filter((part) => part !== "").join(".");
    this.#part("[data-facts]").textContent = [
      ...(owner === "" ? [] : [owner]),
      `${share(total)} of all tick samples (${total.toLocaleString("en")})`,
      `${share(self)} of its own`,
    ].join(" · ");
    const button = this.#part("[data-method]") as HTMLButtonElement;
    button.disabled = name === method && className === "";
    const hits = this.#part("[data-found]");
    (this.#part("[data-next]") as HTMLButtonElement).hidden = !found || found.frames === 0;
    hits.textContent = !found
      ? ""
      : found.frames === 0
        ? "Nothing was found."
        : `${counted(found.methodCount, "method")} in ${counted(found.frames, "frame")}, on the stack of ${share(found.samples)}.`;
  }

  /** Shows the whole name beside the pointer. */
  point(tree: FrameTree, node: number | null, { clientX, clientY }: MouseEvent): void {
    const note = this.#part(".flame-note");
    note.hidden = node === null;
    if (node === null) return;
    const { share, words } = this.#profile;
    const { method, className, packageName, owner } = words(tree, node);
    const [name, place, facts] = note.children;
    if (!name || !place || !facts) return;
    name.textContent = className === "" ? method : `${className}.${method}`;
    place.textContent = [packageName, owner].filter((part) => part !== "").join(" · ");
    facts.textContent = `${share(at(tree.total, node))} · ${share(at(tree.self, node))} of its own`;
    const [wide, high] = [note.offsetWidth, note.offsetHeight];
    const left = Math.min(clientX + apart, document.documentElement.clientWidth - wide - 8);
    const top = clientY + apart + high > innerHeight ? clientY - apart - high : clientY + apart;
    note.style.left = `${Math.max(8, left)}px`;
    note.style.top = `${top}px`;
  }

  /** States how many frames were merged, because they are too light or too many. */
  merged(calls: FrameTree): void {
    const count = [...calls.mergedNodes.values()].reduce((sum, nodes) => sum + nodes, 0);
    const words = this.#part("[data-merged]");
    words.hidden = count === 0;
    words.textContent = `${counted(calls.size - 1, "frame")} are drawn. ${counted(count, "further frame")}, the lightest ones, are merged where they stand.`;
  }

  /** The owners with their colours; a click searches for one. */
  legend(entries: readonly LegendEntry[], share: (samples: number) => string): void {
    const items = entries.map(({ name, samples, fill, find }) => {
      const item = document.createElement("li");
      const swatch = document.createElement("span");
      swatch.className = "swatch";
      swatch.style.background = fill();
      const label = document.createElement(find === null ? "span" : "button");
      const isolated = document.createElement("bdi");
      isolated.textContent = name;
      label.append(isolated);
      if (label instanceof HTMLButtonElement && find !== null) {
        label.type = "button";
        label.className = "link";
        label.title = "Find its frames";
        label.addEventListener("click", () => {
          this.#find.value = find;
          this.#acts.find(find);
        });
      }
      item.append(swatch, label, ` ${share(samples)}`);
      return item;
    });
    this.#part("[data-legend]").replaceChildren(...items);
  }
}

const counted = (count: number, word: string): string =>
  `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
