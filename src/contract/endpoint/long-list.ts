import { nextTurn } from "../../core/turns.ts";

/** Answers with a longer list are projected and serialized in portions of this many entries. */
const portion = 200;

type Fields = Readonly<Record<string, unknown>>;

/** The name of the field that holds a long list; null if there is none. */
export function longListOf(value: unknown): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  for (const name in value) {
    const field = (value as Fields)[name];
    if (Array.isArray(field) && field.length > portion) return name;
  }
  return null;
}

/** Yields the thread to other calls between two portions. */
async function inPortions(list: readonly unknown[], use: (part: unknown[]) => void): Promise<void> {
  for (let start = 0; start < list.length; start += portion) {
    if (start > 0) await nextTurn();
    use(list.slice(start, start + portion));
  }
}

/** `project(value)`, in portions of the field `list`. */
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

/** The same text as `JSON.stringify(value)`, made in portions of the field `list`. */
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
