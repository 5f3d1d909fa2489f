import type { Instant } from "../time.ts";

/** The values of a list of fields at one instant; null where a field was not measured. */
export type FieldValues<F extends string> = Readonly<Record<F, number | null>> & { readonly at: Instant };

/** Each field of the list with its value; NaN stands for what was not measured. */
export function fieldValues<F extends string>(
  at: Instant,
  fields: readonly F[],
  valueAt: (place: number) => number | null | undefined,
): FieldValues<F> {
  const values: Record<string, number | null> = { at };
  for (let place = 0; place < fields.length; place += 1) {
    const value = valueAt(place) ?? Number.NaN;
    values[fields[place] as F] = Number.isNaN(value) ? null : value;
  }
  // Sound: every field of the list was set just now.
  return values as unknown as FieldValues<F>;
}
