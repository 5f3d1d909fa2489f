import uPlot from "uplot";
import { silencesOf, type ChartData, type ChartLine, type Stretch } from "./chart-data.ts";
import { fullTime, numberFormat, timeLabels, zonedDate } from "./clock.ts";
import { translucent, type ChartColors } from "./colors.ts";
import { clustersOf, drawBehind, drawOver } from "./draw.ts";

/** Of a chart, and of the time axis below the last one, CSS pixels. */
const usualHeight = 96;
const axisHeight = 28;
/** Of the value axis, CSS pixels. */
const valueWidth = 60;
/** Marks closer to the pointer than this are shown, CSS pixels. */
const near = 8;
/** A shorter drag is a click, CSS pixels. */
const dragAtLeast = 6;

const grabs: ReadonlySet<string> = new Set(["mousedown", "mouseup", "dblclick"]);

/** What a person does with the time of a chart. */
export interface Grasp {
  select(period: Stretch): void;
  /** After a double click. */
  back(): void;
  /** After a click on a mark. */
  open(href: string): void;
}

interface StripProps {
  readonly figure: HTMLElement;
  readonly line: ChartLine;
  readonly colors: ChartColors;
  readonly place: { readonly isFirst: boolean; readonly isLast: boolean };
  readonly data: ChartData;
  /** The shown period: during a gesture not that of the data. */
  readonly period: () => Stretch;
  readonly grasp: Grasp;
  /** Without the time axis, CSS pixels; `usualHeight` if left out. */
  readonly height?: number;
}

export const widthOf = (box: HTMLElement): number => Math.max(200, Math.floor(box.clientWidth));

/** Replaces the drawing that needs no script. */
export function drawStrip(props: StripProps): uPlot | null {
  const { figure, line, colors, place, data, period, grasp, height = usualHeight } = props;
  const box = figure.querySelector<HTMLElement>(".plot");
  if (!box) return null;
  box.replaceChildren();
  const columns = columnsOf(data, line);
  const hasBand = columns.length > 2;
  const silences = silencesOf(data, line.values ?? data.times.map(() => null));
  const edge = { stroke: "transparent", width: 0, points: { show: false } };
  const plot = new uPlot(
    {
      width: widthOf(box),
      height: height + (place.isLast ? axisHeight : 0),
      padding: [place.isFirst ? 14 : 6, 8, place.isLast ? 0 : 7, 0],
      tzDate: zonedDate,
      legend: { show: false },
      cursor: {
        // All charts follow the pointer, but only the chart under the pointer can be dragged.
        sync: { key: "time", setSeries: false, filters: { pub: (type) => !grabs.has(type) } },
        drag: { x: true, y: false, setScale: false, dist: dragAtLeast },
        y: false,
        bind: { dblclick: () => () => (grasp.back(), null) },
      },
      scales: {
        x: { time: true, range: () => [...period()] },
        y: { range: (_plot, _least, most) => [0, Math.max(line.top, most ?? 0) * 1.04] },
      },
      axes: axesOf(colors, line, place.isLast),
      series: [
        {},
        {
          stroke: colors.line,
          width: 1.5,
          spanGaps: false,
          points: { show: true, size: 3, width: 0, fill: colors.line, filter: alone },
        },
        ...(hasBand ? [edge, edge] : []),
      ],
      ...(hasBand && { bands: [{ series: [2, 3], fill: translucent(colors.line) }] }),
      hooks: {
        drawClear: [(plot) => drawBehind(plot, data, silences, colors)],
        draw: [(plot) => drawOver(plot, data, line, colors, place.isFirst)],
        setCursor: [(plot) => readOut(figure, plot, data, line, place.isFirst)],
        setSelect: [(plot) => selected(plot, grasp)],
      },
    },
    columns,
    box,
  );
  plot.root.setAttribute("aria-hidden", "true");
  plot.over.addEventListener("click", () => {
    const { left = -1 } = plot.cursor;
    const marks = clustersOf(plot, data.marks).find((cluster) => Math.abs(cluster.left - left) < near);
    const [mark] = marks?.marks ?? [];
    if (mark) grasp.open(mark.href);
  });
  return plot;
}

/** For uPlot: time, values, and the band if there is one. */
function columnsOf(data: ChartData, line: ChartLine): uPlot.AlignedData {
  const times = [...data.times];
  const values = [...(line.values ?? data.times.map(() => null))];
  return line.min && line.max ? [times, values, [...line.max], [...line.min]] : [times, values];
}

function selected(plot: uPlot, grasp: Grasp): void {
  const { left, width } = plot.select;
  if (width < dragAtLeast) return;
  const period: Stretch = [plot.posToVal(left, "x"), plot.posToVal(left + width, "x")];
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  grasp.select(period);
}

/** Points without a neighbour, which no line connects. */
function alone(plot: uPlot, series: number): number[] {
  const values = plot.data[series] ?? [];
  const isKnown = (index: number) => values[index] !== null && values[index] !== undefined;
  const found: number[] = [];
  for (let index = 0; index < values.length; index += 1)
    if (isKnown(index) && !isKnown(index - 1) && !isKnown(index + 1)) found.push(index);
  return found;
}

function axesOf(colors: ChartColors, line: ChartLine, isLast: boolean): uPlot.Axis[] {
  const common = {
    stroke: colors.ink,
    font: colors.font,
    grid: { stroke: colors.grid, width: 1 },
    ticks: { show: false },
  };
  const withUnit = (value: number) => `${value} ${line.unit}`.trim();
  return [
    {
      ...common,
      size: isLast ? axisHeight : 0,
      values: (_plot, splits) => (isLast ? timeLabels(splits) : []),
    },
    { ...common, size: valueWidth, space: 28, gap: 6, values: (_plot, splits) => splits.map(withUnit) },
  ];
}

/** The value under the pointer in every chart; above the first chart also the time and nearby marks. */
function readOut(figure: HTMLElement, plot: uPlot, data: ChartData, line: ChartLine, isFirst: boolean): void {
  const under = figure.querySelector(".under");
  if (!under) return;
  const { idx, left = -1 } = plot.cursor;
  const isOutside = idx === null || idx === undefined || left < 0;
  under.textContent = isOutside ? "" : valueWords(line, idx);
  const time = isFirst ? figure.parentElement?.querySelector(".under-time") : null;
  if (!time) return;
  const nearby = clustersOf(plot, data.marks).find((cluster) => Math.abs(cluster.left - left) < near);
  const happened = (nearby?.marks ?? []).map(({ label }) => label);
  time.textContent = isOutside ? "" : [fullTime(data.times[idx] ?? 0), ...happened].join(" · ");
}

function valueWords(line: ChartLine, index: number): string {
  const value = line.values?.[index] ?? null;
  if (value === null) return "not measured";
  const [min, max] = [line.min?.[index] ?? null, line.max?.[index] ?? null];
  const band = min !== null && max !== null ? ` (${number(min)} to ${number(max)})` : "";
  return `${number(value)} ${line.unit}`.trim() + band;
}

const number = (value: number): string => numberFormat.format(value);
