import { pointsDrawn } from "./result-limits.ts";
import type { Block } from "./block.ts";
import type { Drawing } from "./chart/drawing.ts";

/** What a tool answers with beside its JSON, made of the answer alone. */
export interface Attachment {
  /** The tool's own argument that asks for it, true or false, which no endpoint has; null where it always comes. */
  readonly argument: string | null;
  /** What it draws, where it is a drawing. */
  readonly drawing: Drawing | null;
  /** What it wants of the endpoint unless the caller says otherwise. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly pieces: readonly ((answer: unknown) => Promise<Block>)[];
}

/** The drawer is loaded when the first drawing is wanted. */
export const chartOf = (drawing: Drawing): Attachment => ({
  argument: "chart",
  drawing,
  input: { max_points: pointsDrawn },
  pieces: [async (answer) => (await import("./chart/drawing.ts")).draw(drawing, answer)],
});
