import type uPlot from "uplot";
import { colorsOf } from "./colors.ts";
import type { ChartData } from "./chart-data.ts";

/** CSV with a row for each time (UTC) and a column for each figure. */
export function saveTable(data: ChartData): void {
  const lines = data.lines.filter(({ values }) => values !== null);
  const head = ["time", ...lines.map(({ name, unit }) => (unit === "" ? name : `${name} (${unit})`))];
  const rows = data.times.flatMap((seconds, index) => {
    const values = lines.map((line) => line.values?.[index] ?? "");
    // The drawing needs a point without values in each gap; the table does not.
    return values.every((value) => value === "") ? [] : [[new Date(seconds * 1000).toISOString(), ...values]];
  });
  const text = [head, ...rows].map((row) => row.join(",")).join("\r\n");
  save(new Blob([`${text}\r\n`], { type: "text/csv" }), "charts.csv");
}

/** One image of all charts, in the colours of the page. */
export function saveImage(area: HTMLElement, plots: readonly uPlot[]): void {
  const figures = plots.map((plot) => ({
    canvas: plot.ctx.canvas,
    name: plot.root.closest("figure")?.querySelector("strong")?.textContent ?? "",
  }));
  const ratio = devicePixelRatio;
  const caption = 20 * ratio;
  const image = document.createElement("canvas");
  image.width = Math.max(...figures.map(({ canvas }) => canvas.width));
  image.height = figures.reduce((sum, { canvas }) => sum + canvas.height + caption, 0);
  const ctx = image.getContext("2d");
  if (!ctx) return;
  const colors = colorsOf(area);
  ctx.fillStyle = colors.panel;
  ctx.fillRect(0, 0, image.width, image.height);
  ctx.fillStyle = colors.event;
  ctx.font = colors.font.replace("12px", `600 ${13 * ratio}px`);
  let top = 0;
  for (const { canvas, name } of figures) {
    ctx.fillText(name, 8 * ratio, top + 15 * ratio);
    ctx.drawImage(canvas, 0, top + caption);
    top += canvas.height + caption;
  }
  image.toBlob((blob) => blob && save(blob, "charts.png"), "image/png");
}

function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
