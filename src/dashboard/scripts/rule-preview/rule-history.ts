import type uPlot from "uplot";
import type { ChartLine, Stretch } from "../chart/chart-data.ts";
import { colorsOf } from "../chart/colors.ts";
import { drawStrip, widthOf, type Grasp } from "../chart/strip.ts";
import { onLookChange } from "../look/theme.ts";
import type { RuleHistoryData } from "./rule-history-data.ts";
import { Threshold } from "./threshold.ts";

/** CSS pixels. */
const height = 168;

/** Room above the highest value, for a threshold that is dragged there. */
const headroom = 1.15;

/** Time cannot be selected on this chart. */
const nothing: Grasp = { select: () => {}, back: () => {}, open: () => {} };

/** The last days of a rule's metric, with the threshold to drag. */
export class RuleChart {
  readonly #area: HTMLElement;
  readonly #figure: HTMLElement;
  /** The chart reads its shades and the top of its scale at each drawing. */
  readonly #data: RuleHistoryData & { shades: readonly Stretch[] };
  readonly #line: (ChartLine & { top: number }) | null;
  readonly #threshold: Threshold;
  /** The top of the scale for a threshold that is not beyond it. */
  readonly #usualTop: number;
  #plot: uPlot | null = null;
  #value: number | null = null;
  /** Whether something must be drawn after the drag. */
  #isLate = false;

  constructor(area: HTMLElement, figure: HTMLElement, onMove: (value: number) => void) {
    this.#area = area;
    this.#figure = figure;
    this.#data = JSON.parse(area.dataset["ruleHistory"] ?? "null") as RuleHistoryData;
    const { lines, limits } = this.#data;
    const [line] = lines;
    const values = [...(line?.max ?? []), ...(line?.values ?? [])].filter((value) => value !== null);
    const most = values.reduce((largest, value) => Math.max(largest, value), line?.top ?? 0);
    this.#usualTop = limits.highest ?? most * headroom;
    this.#line = line ? { ...line, top: this.#usualTop } : null;
    this.#threshold = new Threshold({
      name: line?.name ?? "",
      unit: line?.unit ?? "",
      min: limits.min,
      max: limits.max,
      integer: limits.integer,
      top: () => this.#line?.top ?? this.#usualTop,
      onMove,
      onRelease: () => {
        if (!this.#isLate) return;
        this.#isLate = false;
        this.#scale();
        this.#draw();
      },
    });
    for (const part of area.querySelectorAll<HTMLElement>("[data-with-script]")) part.hidden = false;
    this.#draw();
    onLookChange(() => this.#draw());
    new ResizeObserver(() => this.#fit()).observe(area);
  }

  /** From the form. */
  show(threshold: number | null, condition: string): void {
    this.#value = threshold;
    this.#threshold.show(threshold, condition);
    this.#scale();
  }

  /** Shades the times in which the rule would have been in alert. */
  shade(alerts: readonly Stretch[]): void {
    this.#data.shades = alerts;
    // With its axes: without them, a redraw before the first drawing would leave no room for them.
    this.#plot?.redraw(false, true);
  }

  /** Makes room for a threshold beyond the scale, or takes it back; never while the threshold is dragged. */
  #scale(): void {
    const line = this.#line;
    if (!line) return;
    const value = Math.min(this.#data.limits.max, this.#value ?? 0);
    const top = value <= this.#usualTop ? this.#usualTop : value > line.top ? value * headroom : line.top;
    if (top === line.top) return;
    if (this.#waits()) return;
    line.top = top;
    const plot = this.#plot;
    if (!plot) return;
    plot.redraw(true, true);
    this.#threshold.on(plot);
  }

  /** Whether a change has to wait for the end of a drag. */
  #waits(): boolean {
    this.#isLate ||= this.#threshold.isDragged;
    return this.#threshold.isDragged;
  }

  #draw(): void {
    const line = this.#line;
    if (!line || this.#waits()) return;
    const hadFocus = document.activeElement === this.#threshold.handle;
    this.#plot?.destroy();
    this.#plot = drawStrip({
      figure: this.#figure,
      line,
      colors: colorsOf(this.#area),
      place: { isFirst: true, isLast: true },
      data: this.#data,
      period: () => [this.#data.from, this.#data.to],
      grasp: nothing,
      height,
    });
    if (this.#plot) this.#threshold.on(this.#plot);
    if (hadFocus) this.#threshold.handle.focus();
  }

  #fit(): void {
    const plot = this.#plot;
    if (!plot || this.#waits()) return;
    plot.setSize({ width: widthOf(plot.root.parentElement ?? this.#area), height: plot.height });
    this.#threshold.on(plot);
  }
}
