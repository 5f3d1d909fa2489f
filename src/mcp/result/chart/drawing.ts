import type { Block } from "../block.ts";
import { seriesChart } from "./series-chart.ts";

/** Each makes SVG of the answer alone. */
const drawings = { series: seriesChart } as const;
export type Drawing = keyof typeof drawings;

/** Renders outside the main thread. The renderer is loaded for the first picture. */
export async function draw(drawing: Drawing, answer: unknown): Promise<Block> {
  const svg = drawings[drawing](answer);
  const { renderAsync } = await import("@resvg/resvg-js");
  // No fonts: all letters are paths, so that two machines draw the same.
  const image = await renderAsync(svg, { font: { loadSystemFonts: false } });
  return { type: "image", data: image.asPng().toString("base64"), mimeType: "image/png" };
}
