/** Where a page ended: the sort key of its last row, ties broken by id. */
export type Position = readonly (string | number)[];

/** For lists that are newest first. */
export interface TimePosition {
  readonly at: number;
  readonly id: string;
}

/** Null: the list starts at the top. */
export function timePosition(position: Position | null): TimePosition | null {
  if (position === null) return null;
  const [at, id] = position;
  if (typeof at !== "number" || typeof id !== "string")
    throw new Error("A position of another kind of list.");
  return { at, id };
}
