import type { Block } from "./block.ts";
import type { Drawing } from "./chart/drawing.ts";

/** What a tool answers with beside its JSON, made of the answer alone. */
export interface Attachment {
  /** The tool's own argument that asks for it, true or false, which no endpoint has; null where it always comes. */
  readonly argument: string | null;
  /** What it draws, where it is a drawing. */
  readonly drawing: Drawing | null;
  readonly pieces: readonly ((answer: unknown) => Promise<Block>)[];
}

/** The drawer is loaded when the first drawing is wanted. */
export const chartOf = (drawing: Drawing): Attachment => ({
  argument: "chart",
  drawing,
  pieces: [async (answer) => (await import("./chart/drawing.ts")).draw(drawing, answer)],
});
