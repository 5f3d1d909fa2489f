import type uPlot from "uplot";
import type { ChartData, ChartLine, ChartMark, Stretch } from "./chart-data.ts";
import type { ChartColors } from "./colors.ts";

const at = (plot: uPlot, seconds: number): number => plot.valToPos(seconds, "x", true);

/** Behind the lines: maintenance is shaded, time without measurements hatched. */
export function drawBehind(
  plot: uPlot,
  data: ChartData,
  silences: readonly Stretch[],
  colors: ChartColors,
): void {
  const { ctx, bbox } = plot;
  ctx.save();
  clip(plot);
  for (const [from, to] of data.shades) {
    const [left, right] = [at(plot, from), at(plot, to)];
    ctx.fillStyle = colors.shade;
    ctx.fillRect(left, bbox.top, right - left, bbox.height);
  }
  for (const [from, to] of silences) hatch(plot, at(plot, from), at(plot, to), colors.hatch);
  ctx.restore();
}

function clip({ ctx, bbox }: uPlot): void {
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
}

function hatch({ ctx, bbox }: uPlot, from: number, to: number, color: string): void {
  const left = Math.max(bbox.left, from);
  const right = Math.min(bbox.left + bbox.width, to);
  if (right < left) return;
  const step = 7 * devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, bbox.top, Math.max(1, right - left), bbox.height);
  ctx.clip();
  ctx.beginPath();
  // The hatching has one origin for the whole chart, so that it matches from gap to gap.
  const first = Math.max(0, Math.floor((left - bbox.left) / step) * step);
  for (let x = bbox.left - bbox.height + first; x < right; x += step) {
    ctx.moveTo(x, bbox.top + bbox.height);
    ctx.lineTo(x + bbox.height, bbox.top);
  }
  ctx.globalAlpha = 0.45;
  ctx.lineWidth = devicePixelRatio;
  ctx.strokeStyle = color;
  ctx.stroke();
  ctx.restore();
}

/** Over the lines: the nominal value, thresholds of rules, and marks of alerts and events. */
export function drawOver(
  plot: uPlot,
  data: ChartData,
  line: ChartLine,
  colors: ChartColors,
  isFirst: boolean,
): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  if (line.nominal !== null) level(plot, line.nominal, colors.nominal, [5, 4]);
  for (const { value } of line.thresholds) level(plot, value, colors.alert, [2, 3]);
  for (const mark of data.marks) {
    const x = at(plot, mark.at);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    const isAlert = mark.kind === "alert";
    const color = isAlert ? colors.alert : colors.event;
    ctx.setLineDash(isAlert ? [] : [devicePixelRatio, 3 * devicePixelRatio]);
    ctx.globalAlpha = isAlert ? 0.8 : 0.45;
    stroke(ctx, color, [x, bbox.top], [x, bbox.top + bbox.height]);
    ctx.globalAlpha = 1;
  }
  if (isFirst) for (const cluster of clustersOf(plot, data.marks)) drawCluster(plot, cluster, colors);
  ctx.restore();
}

/** A dashed line at a value, if the scale shows it. */
function level(plot: uPlot, value: number, color: string, dash: readonly number[]): void {
  const { ctx, bbox } = plot;
  const y = plot.valToPos(value, "y", true);
  if (y < bbox.top || y > bbox.top + bbox.height) return;
  ctx.setLineDash(dash.map((length) => length * devicePixelRatio));
  stroke(ctx, color, [bbox.left, y], [bbox.left + bbox.width, y]);
}

/** Marks closer than this are drawn as one with their number, CSS pixels. */
const clusterWidth = 14;

/** Marks so close together that they are drawn as one. */
export interface MarkCluster {
  /** From the chart's left edge, CSS pixels. */
  readonly left: number;
  readonly marks: readonly ChartMark[];
}

export function clustersOf(plot: uPlot, marks: readonly ChartMark[]): MarkCluster[] {
  const clusters: { left: number; marks: ChartMark[] }[] = [];
  const width = plot.bbox.width / devicePixelRatio;
  for (const mark of marks) {
    const left = plot.valToPos(mark.at, "x");
    if (left < 0 || left > width) continue;
    const last = clusters.at(-1);
    if (last && left - last.left < clusterWidth) last.marks.push(mark);
    else clusters.push({ left, marks: [mark] });
  }
  return clusters;
}

function drawCluster({ ctx, bbox }: uPlot, { left, marks }: MarkCluster, colors: ChartColors): void {
  const x = bbox.left + left * devicePixelRatio;
  const y = bbox.top - 7 * devicePixelRatio;
  const isAlert = marks.some(({ kind }) => kind === "alert");
  (isAlert ? triangle : diamond)(ctx, x, y, isAlert ? colors.alert : colors.event);
  if (marks.length === 1) return;
  ctx.fillStyle = colors.ink;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  ctx.font = colors.font.replace("12px", `${10 * devicePixelRatio}px`);
  ctx.fillText(String(marks.length), x + 6 * devicePixelRatio, y);
}

type Corner = readonly [x: number, y: number];

function stroke(ctx: CanvasRenderingContext2D, color: string, from: Corner, to: Corner): void {
  ctx.strokeStyle = color;
  ctx.beginPath();
  ctx.moveTo(...from);
  ctx.lineTo(...to);
  ctx.stroke();
}

const triangle = (ctx: CanvasRenderingContext2D, x: number, y: number, color: string): void =>
  shape(ctx, color, [
    [x, y - 5 * devicePixelRatio],
    [x + 5 * devicePixelRatio, y + 4 * devicePixelRatio],
    [x - 5 * devicePixelRatio, y + 4 * devicePixelRatio],
  ]);

const diamond = (ctx: CanvasRenderingContext2D, x: number, y: number, color: string): void =>
  shape(ctx, color, [
    [x, y - 4 * devicePixelRatio],
    [x + 4 * devicePixelRatio, y],
    [x, y + 4 * devicePixelRatio],
    [x - 4 * devicePixelRatio, y],
  ]);

function shape(ctx: CanvasRenderingContext2D, color: string, corners: readonly Corner[]): void {
  ctx.fillStyle = color;
  ctx.beginPath();
  for (const corner of corners) ctx.lineTo(...corner);
  ctx.closePath();
  ctx.fill();
}
