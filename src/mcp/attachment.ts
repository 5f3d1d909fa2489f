import type { Block } from "./block.ts";
import { draw, type Drawing } from "./chart/drawing.ts";

/** What a tool answers with beside its JSON, made of the answer alone. */
export interface Attachment {
  /** The tool's own argument that asks for it, which no endpoint has; null where it always comes. */
  readonly argument: string | null;
  readonly pieces: readonly ((answer: unknown) => Promise<Block>)[];
}

export const chartOf = (drawing: Drawing): Attachment => ({
  argument: "chart",
  pieces: [(answer) => draw(drawing, answer)],
});
