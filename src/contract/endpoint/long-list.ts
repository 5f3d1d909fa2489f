import { nextTurn } from "../../core/turns.ts";

/** A list of more entries makes an answer a long one: it is projected and written in portions of so many. */
const portion = 200;

type Fields = Readonly<Record<string, unknown>>;

/** The name of the field that holds a long list; null in an answer without one. */
export function longListOf(value: unknown): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  for (const name in value) {
    const field = (value as Fields)[name];
    if (Array.isArray(field) && field.length > portion) return name;
  }
  return null;
}

/** Calls `use` with each portion of the list; other calls get the thread between two portions. */
async function inPortions(list: readonly unknown[], use: (part: unknown[]) => void): Promise<void> {
  for (let start = 0; start < list.length; start += portion) {
    if (start > 0) await nextTurn();
    use(list.slice(start, start + portion));
  }
}

/** What `project` makes of a value whose field `list` is a long list. */
export async function projectedInPortions(
  value: unknown,
  list: string,
  project: (value: unknown) => unknown,
): Promise<unknown> {
  const fields = value as Fields;
  const projected: unknown[] = [];
  let rest: Fields = {};
  await inPortions(fields[list] as unknown[], (part) => {
    rest = project({ ...fields, [list]: part }) as Fields;
    projected.push(...((rest[list] ?? []) as unknown[]));
  });
  return list in rest ? { ...rest, [list]: projected } : rest;
}

/** The JSON text of a value whose field `list` is a long list, the same as `JSON.stringify` makes. */
export async function jsonInPortions(value: unknown, list: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const fields = Object.entries(value as Fields).filter(([, field]) => field !== undefined);
  let separator = "{";
  for (const [name, field] of fields) {
    const head = `${separator}${JSON.stringify(name)}:`;
    separator = ",";
    if (name !== list) {
      pieces.push(Buffer.from(head + JSON.stringify(field)));
      continue;
    }
    let opening = `${head}[`;
    await inPortions(field as unknown[], (part) => {
      pieces.push(Buffer.from(opening + JSON.stringify(part).slice(1, -1)));
      opening = ",";
    });
    pieces.push(Buffer.from("]"));
  }
  pieces.push(Buffer.from("}"));
  return Buffer.concat(pieces);
}
