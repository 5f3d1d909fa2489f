import type uPlot from "uplot";
import type { Stretch } from "../chart/chart-data.ts";
import { colorsOf } from "../chart/colors.ts";
import { drawStrip, widthOf, type Grasp } from "../chart/strip.ts";
import { onLookChange } from "../look/theme.ts";
import type { RuleHistoryData } from "./rule-history-data.ts";
import { Threshold } from "./threshold.ts";

/** The height of the chart, CSS pixels. */
const height = 168;

/** The room above the highest value, so that a threshold can be dragged there. */
const headroom = 1.15;

/** Time is not selected on this chart. */
const nothing: Grasp = { select: () => {}, back: () => {}, open: () => {} };

/** The chart of a rule's form: the last days of its metric, with the threshold to drag. */
export class RuleChart {
  readonly #area: HTMLElement;
  readonly #figure: HTMLElement;
  readonly #data: RuleHistoryData;
  readonly #threshold: Threshold;
  readonly #top: number;
  #alerts: readonly Stretch[] = [];
  #plot: uPlot | null = null;

  constructor(area: HTMLElement, figure: HTMLElement, onMove: (value: number) => void, first: number | null) {
    this.#area = area;
    this.#figure = figure;
    this.#data = JSON.parse(area.dataset["ruleHistory"] ?? "null") as RuleHistoryData;
    const { lines, limits } = this.#data;
    const [line] = lines;
    const values = [...(line?.max ?? []), ...(line?.values ?? []), first].filter((value) => value !== null);
    const most = values.reduce((largest, value) => Math.max(largest, value), line?.top ?? 0);
    this.#top = limits.highest ?? most * headroom;
    this.#threshold = new Threshold({
      name: line?.name ?? "",
      unit: line?.unit ?? "",
      min: limits.min,
      max: Math.min(limits.max, this.#top),
      integer: limits.integer,
      onMove,
    });
    for (const part of area.querySelectorAll<HTMLElement>("[data-with-script]")) part.hidden = false;
    this.#draw();
    onLookChange(() => this.#draw());
    new ResizeObserver(() => this.#fit()).observe(area);
  }

  /** Shows the threshold and the condition of the form. */
  show(threshold: number | null, condition: string): void {
    this.#threshold.show(threshold, condition);
  }

  /** Shades the times in which the rule would have been in alert. */
  shade(alerts: readonly Stretch[]): void {
    this.#alerts = alerts;
    this.#draw();
  }

  #draw(): void {
    const { lines, ...rest } = this.#data;
    const [line] = lines;
    if (!line) return;
    const hadFocus = document.activeElement === this.#threshold.handle;
    this.#plot?.destroy();
    this.#plot = drawStrip({
      figure: this.#figure,
      line: { ...line, top: this.#top },
      colors: colorsOf(this.#area),
      place: { isFirst: true, isLast: true },
      data: { ...rest, lines, shades: this.#alerts },
      period: () => [rest.from, rest.to],
      grasp: nothing,
      height,
    });
    if (this.#plot) this.#threshold.on(this.#plot);
    if (hadFocus) this.#threshold.handle.focus();
  }

  #fit(): void {
    const plot = this.#plot;
    if (!plot) return;
    plot.setSize({ width: widthOf(plot.root.parentElement ?? this.#area), height: plot.height });
    this.#threshold.on(plot);
  }
}
