import uPlot from "uplot";
import { numberFormat } from "./clock.ts";
import { colorsOf, type ChartColors } from "./colors.ts";
import { onThemeChange } from "../look/theme.ts";
import { widthOf } from "./strip.ts";

/** CSS pixels. */
const height = 200;
/** Of the value axis, CSS pixels. */
const valueWidth = 72;

/** A figure by hour of the day, in both periods; null if it was not measured. */
interface Hours {
  readonly base: readonly (number | null)[];
  readonly target: readonly (number | null)[];
  readonly nominal: number | null;
  readonly unit: string;
}

/** Draws a profile by hour of the day, again if the colours change. */
export function drawHours(figure: HTMLElement): void {
  const data = JSON.parse(figure.dataset["hours"] ?? "null") as Hours | null;
  const box = figure.querySelector<HTMLElement>(".plot");
  if (!data || !box) return;
  let plot: uPlot | null = null;
  const draw = () => {
    plot?.destroy();
    box.replaceChildren();
    plot = new uPlot(optionsOf(figure, data, box), columnsOf(data), box);
    plot.root.setAttribute("aria-hidden", "true");
  };
  draw();
  onThemeChange(draw);
  new ResizeObserver(() => plot?.setSize({ width: widthOf(box), height })).observe(figure);
}

function columnsOf({ base, target, nominal }: Hours): uPlot.AlignedData {
  const hours = base.map((_value, hour) => hour);
  return [hours, [...base], [...target], ...(nominal === null ? [] : [hours.map(() => nominal)])];
}

function optionsOf(figure: HTMLElement, data: Hours, box: HTMLElement): uPlot.Options {
  const colors: ChartColors = colorsOf(figure);
  const axis = {
    stroke: colors.ink,
    font: colors.font,
    grid: { stroke: colors.grid, width: 1 },
    ticks: { show: false },
  };
  const dots = { show: true, size: 5, width: 0 };
  return {
    width: widthOf(box),
    height,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false },
    scales: {
      x: { time: false, range: () => [0, 23] },
      y: { range: (_plot, _least, most) => [0, (most || 1) * 1.05] },
    },
    axes: [
      { ...axis, size: 28, values: (_plot, splits) => splits.map(clock) },
      {
        ...axis,
        size: valueWidth,
        values: (_plot, splits) => splits.map((value) => shown(value, data.unit)),
      },
    ],
    series: [
      {},
      { stroke: colors.hatch, width: 2, dash: [6, 3], points: { ...dots, fill: colors.hatch } },
      { stroke: colors.line, width: 2, points: { ...dots, fill: colors.line } },
      ...(data.nominal === null
        ? []
        : [{ stroke: colors.nominal, width: 1, dash: [5, 4], points: { show: false } }]),
    ],
    hooks: { setCursor: [(plot) => readHour(figure, plot, data)] },
  };
}

const clock = (hour: number): string => `${String(Math.round(hour)).padStart(2, "0")}:00`;

function readHour(figure: HTMLElement, plot: uPlot, { base, target, unit }: Hours): void {
  const under = figure.querySelector(".under");
  if (!under) return;
  const hour = plot.cursor.idx;
  const isOutside = hour === null || hour === undefined || (plot.cursor.left ?? -1) < 0;
  under.textContent = isOutside
    ? ""
    : `${clock(hour)} UTC: earlier ${shown(base[hour], unit)}, later ${shown(target[hour], unit)}`;
}

const shown = (value: number | null | undefined, unit: string): string =>
  value === null || value === undefined ? "not measured" : `${numberFormat.format(value)} ${unit}`.trim();
