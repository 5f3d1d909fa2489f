/** What stands at a pointer (see `Pointer`); undefined where nothing does. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const segment of pointer.split("/").slice(1)) {
    if (typeof value !== "object" || value === null) return undefined;
    const [, member = "", wanted = ""] = /^\[(\w+)=(.*)\]$/.exec(segment) ?? [];
    if (member === "") value = Reflect.get(value, segment) as unknown;
    else if (Array.isArray(value))
      value = value.find((entry: Record<string, unknown>) => String(entry[member]) === wanted);
    else return undefined;
  }
  return value;
}
