import type { Block } from "../block.ts";
import { seriesChart } from "./series-chart.ts";

/** What an answer can be drawn as: SVG of the answer alone. */
const drawings = { series: seriesChart } as const;
export type Drawing = keyof typeof drawings;

/** An answer as a picture, painted beside the thread. The painter is loaded when the first one is wanted. */
export async function draw(drawing: Drawing, answer: unknown): Promise<Block> {
  const svg = drawings[drawing](answer);
  const { renderAsync } = await import("@resvg/resvg-js");
  // Every letter is a path of ours: fonts would only make two machines draw differently.
  const image = await renderAsync(svg, { font: { loadSystemFonts: false } });
  return { type: "image", data: image.asPng().toString("base64"), mimeType: "image/png" };
}
