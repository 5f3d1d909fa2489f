import type { Instant } from "../time.ts";

/** The values of a list of fields at one instant; null where a field was not measured. */
export type FieldValues<F extends string> = Readonly<Record<F, number | null>> & { readonly at: Instant };

type ValueAt = (place: number) => number | null | undefined;
type Maker = (at: Instant, valueAt: ValueAt) => unknown;

const known = (value: number | null | undefined): number | null =>
  value === undefined || value === null || Number.isNaN(value) ? null : value;

const makers = new WeakMap<readonly string[], Maker>();

/**
 * Compiled once for each list, as the mappings of a table are: one object literal. Setting sixteen properties by their
 * names took eight times as long, and an evaluation makes 360 of these. The code holds declared names alone.
 */
function makerOf(fields: readonly string[]): Maker {
  const made = makers.get(fields);
  if (made) return made;
  if (!fields.every((field) => /^[a-z]\w*$/i.test(field))) throw new Error("A field has no name.");
  const members = fields.map((field, place) => `${field}: known(valueAt(${place}))`);
  const make = new Function("known", `return (at, valueAt) => ({ at, ${members.join(", ")} });`)(
    known,
  ) as Maker;
  makers.set(fields, make);
  return make;
}

/** Each field of the list with its value; NaN stands for what was not measured. */
export const fieldValues = <F extends string>(
  at: Instant,
  fields: readonly F[],
  valueAt: ValueAt,
): FieldValues<F> =>
  // Sound: every field of the list is a member.
  makerOf(fields)(at, valueAt) as FieldValues<F>;
