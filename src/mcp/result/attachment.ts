import { pointsDrawn } from "./result-limits.ts";
import type { Block } from "./block.ts";
import type { Drawing } from "./chart/drawing.ts";

/** Blocks that a tool adds to its JSON, made of the answer alone. */
export interface Attachment {
  /** The tool's own boolean argument that requests it, which no endpoint has; null if it is always added. */
  readonly argument: string | null;
  /** Null if it is not a drawing. */
  readonly drawing: Drawing | null;
  /** Default arguments for the endpoint. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly pieces: readonly ((answer: unknown) => Promise<Block>)[];
}

/** The drawing code is loaded for the first drawing. */
export const chartOf = (drawing: Drawing): Attachment => ({
  argument: "chart",
  drawing,
  input: { max_points: pointsDrawn },
  pieces: [async (answer) => (await import("./chart/drawing.ts")).draw(drawing, answer)],
});
