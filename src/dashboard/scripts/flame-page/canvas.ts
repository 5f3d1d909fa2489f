import { at } from "../flame/frame-tree.ts";
import { eachDrawn, nodeAt, type Span } from "../flame/layout.ts";
import { onLookChange, readColors } from "../look/theme.ts";
import type { FrameWords } from "../flame/names.ts";
import type { Picture, Profile } from "./picture.ts";

/** With its gap, CSS pixels. */
export const rowHeight = 20;
/** Narrower frames have no text, CSS pixels. */
const leastText = 28;
/** Narrower frames are drawn as one rectangle with their neighbours, CSS pixels. */
const leastColor = 2;
/** Characters that all have the same width in the font. */
const plain = /^[\u0020-\u007e…]*$/;
const padding = 4;
/** Of the movement to another frame, ms. */
const moveMs = 180;

interface Theme {
  readonly ink: string;
  readonly quiet: string;
  readonly sunk: string;
  readonly lines: string;
  readonly font: string;
  /** The width of a letter, CSS pixels. */
  readonly letter: number;
}

/** Draws only the frames in view. */
export class FlameCanvas {
  readonly #area: HTMLElement;
  readonly #sizer: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  readonly #profile: Profile;
  #picture: Picture | null = null;
  #span: Span = { from: 0, to: 1 };
  #theme: Theme;
  #hovered: number | null = null;
  #waits = false;
  #movement = 0;

  constructor(area: HTMLElement, profile: Profile) {
    this.#area = area;
    this.#profile = profile;
    this.#sizer = document.createElement("div");
    this.#canvas = document.createElement("canvas");
    this.#canvas.setAttribute("aria-hidden", "true");
    this.#sizer.append(this.#canvas);
    area.prepend(this.#sizer);
    this.#theme = this.#themeOf();
    area.addEventListener("scroll", () => this.#request(), { passive: true });
    new ResizeObserver(() => this.#request()).observe(area);
    onLookChange(() => {
      this.#theme = this.#themeOf();
      this.#request();
    });
  }

  get span(): Span {
    return this.#span;
  }

  show(picture: Picture): void {
    this.#picture = picture;
    this.#hovered = null;
    this.#sizer.style.height = `${picture.layout.rows.length * rowHeight}px`;
    this.#request();
  }

  /** Without a movement. */
  setSpan(span: Span): void {
    cancelAnimationFrame(this.#movement);
    this.#span = span;
    this.#request();
  }

  /** With a movement, unless the person wants none. */
  moveTo(span: Span): void {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return this.setSpan(span);
    const [from, begin] = [this.#span, performance.now()];
    const step = (now: number) => {
      const share = Math.min(1, Math.max(0, (now - begin) / moveMs));
      const eased = 1 - (1 - share) ** 3;
      const between = (one: number, other: number) => one + (other - one) * eased;
      this.#span =
        share === 1 ? span : { from: between(from.from, span.from), to: between(from.to, span.to) };
      this.#draw();
      if (share < 1) this.#movement = requestAnimationFrame(step);
    };
    cancelAnimationFrame(this.#movement);
    this.#movement = requestAnimationFrame(step);
  }

  /** Scrolls a node's row into view; with `rowsAbove`, to that many rows below the top. */
  reveal(node: number, rowsAbove: number | null = null): void {
    const picture = this.#picture;
    if (!picture) return;
    const top = at(picture.layout.row, node) * rowHeight;
    const area = this.#area;
    if (rowsAbove !== null) area.scrollTop = top - rowsAbove * rowHeight;
    else if (top < area.scrollTop) area.scrollTop = top;
    else if (top + rowHeight > area.scrollTop + area.clientHeight)
      area.scrollTop = top + rowHeight - area.clientHeight;
  }

  hover(node: number | null): void {
    if (node === this.#hovered) return;
    this.#hovered = node;
    this.#request();
  }

  /** Null if there is no node under the pointer. */
  nodeUnder({ clientX, clientY }: MouseEvent): number | null {
    const picture = this.#picture;
    if (!picture) return null;
    const box = this.#canvas.getBoundingClientRect();
    const row = Math.floor((clientY - box.top + this.#area.scrollTop) / rowHeight);
    const { from, to } = this.#span;
    const place = from + ((clientX - box.left) / box.width) * (to - from);
    return nodeAt(picture.tree, picture.layout, row, place);
  }

  #themeOf(): Theme {
    const { ink, quiet, sunk, line } = readColors(this.#area, ["ink", "quiet", "sunk", "line"]);
    const font = `12px ${getComputedStyle(this.#area).getPropertyValue("--mono").trim()}`;
    const context = this.#canvas.getContext("2d");
    if (context) context.font = font;
    const letter = (context?.measureText("0".repeat(50)).width ?? 360) / 50;
    return { ink, quiet, sunk, lines: line, font, letter };
  }

  #request(): void {
    if (this.#waits) return;
    this.#waits = true;
    requestAnimationFrame(() => {
      this.#waits = false;
      this.#draw();
    });
  }

  #draw(): void {
    const context = this.#canvas.getContext("2d", { alpha: true });
    const picture = this.#picture;
    const [width, height] = [this.#area.clientWidth, this.#area.clientHeight];
    if (!context || !picture || width === 0) return;
    this.#fit(width, height);
    const ratio = devicePixelRatio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = this.#theme.font;
    context.textBaseline = "middle";
    context.direction = "ltr";
    const { scrollTop } = this.#area;
    const end = Math.min(picture.layout.rows.length, Math.ceil((scrollTop + height) / rowHeight));
    for (let row = Math.floor(scrollTop / rowHeight); row < end; row += 1)
      this.#drawRow(context, picture, row, row * rowHeight - scrollTop, width);
  }

  #fit(width: number, height: number): void {
    const canvas = this.#canvas;
    const [wide, high] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
    if (canvas.width === wide && canvas.height === high) return;
    canvas.width = wide;
    canvas.height = high;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }

  #drawRow(
    context: CanvasRenderingContext2D,
    picture: Picture,
    row: number,
    top: number,
    width: number,
  ): void {
    const { tree, layout, found, current } = picture;
    const { fill, words } = this.#profile;
    const { ink, lines } = this.#theme;
    const marked: { left: number; right: number; isCurrent: boolean }[] = [];
    const hits: number[] = [];
    /** Narrow frames beside one another are one rectangle. */
    let [runFrom, runTo] = [0, 0];
    let filled = "";
    const endRun = () => {
      if (runTo > runFrom) {
        context.fillStyle = filled = lines;
        context.fillRect(runFrom, top, runTo - runFrom, rowHeight - 1);
      }
      runFrom = runTo = 0;
    };
    const textLeft: { node: number; left: number; right: number; isDim: boolean }[] = [];
    eachDrawn(tree, layout, row, this.#span, width, ({ node, left, right }) => {
      const isFound = found !== null && at(found.methods, at(tree.method, node)) === 1;
      const wide = right - left;
      if (isFound) hits.push(left, Math.max(1, wide - (wide > 3 ? 1 : 0)));
      if (node === current || node === this.#hovered)
        marked.push({ left, right, isCurrent: node === current });
      if (wide < leastColor) {
        if (left > runTo + 0.5) {
          endRun();
          runFrom = left;
        }
        runTo = right;
        return;
      }
      endRun();
      const isDim = found !== null && !isFound;
      const color = fill(tree, node, isDim);
      if (color !== filled) context.fillStyle = filled = color;
      context.fillRect(left, top, wide > 3 ? wide - 1 : wide, rowHeight - 1);
      if (wide >= leastText) textLeft.push({ node, left, right, isDim });
    });
    endRun();
    for (const { node, left, right, isDim } of textLeft)
      this.#write(context, words(tree, node), Math.max(0, left), Math.min(width, right), top, isDim);
    context.fillStyle = ink;
    for (let hit = 0; hit < hits.length; hit += 2)
      context.fillRect(hits[hit] ?? 0, top + rowHeight - 4, hits[hit + 1] ?? 0, 3);
    for (const { left, right, isCurrent } of marked) {
      context.strokeStyle = ink;
      context.lineWidth = isCurrent ? 2 : 1;
      const inset = context.lineWidth / 2;
      context.strokeRect(
        left + inset,
        top + inset,
        Math.max(1, right - left - 1 - 2 * inset),
        rowHeight - 1 - 2 * inset,
      );
    }
  }

  /** The method, then class and owner as far as there is room. */
  #write(
    context: CanvasRenderingContext2D,
    { method, className, owner, isPlugin }: FrameWords,
    left: number,
    right: number,
    top: number,
    isDim: boolean,
  ): void {
    const { ink, quiet, letter } = this.#theme;
    let room = Math.floor((right - left - 2 * padding) / letter);
    let place = left + padding;
    const middle = top + (rowHeight - 1) / 2 + 0.5;
    const parts = [method, className === "" ? "" : ` ${className}`, isPlugin ? `  ${owner}` : ""];
    for (const [index, part] of parts.entries()) {
      if (part === "" || room < (index === 0 ? 2 : 4)) continue;
      const text = part.length <= room ? part : `${part.slice(0, room - 1)}…`;
      context.fillStyle = index === 0 && !isDim ? ink : quiet;
      // `fillText` with a largest width takes three times as long, so only text of other widths gets one.
      if (plain.test(text)) context.fillText(text, place, middle);
      else context.fillText(text, place, middle, right - place);
      room -= text.length;
      place += text.length * letter;
    }
  }
}
