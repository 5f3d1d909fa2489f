import type { Json, TestChanges } from "../../../support/payload.ts";

/** What is laid over a run. */
export interface Change {
  readonly run?: Json;
  readonly tests?: TestChanges;
}

/** One rule: a run on which it fires, and changes to that run which make it fall silent. */
export interface Scenario {
  readonly fires: Change;
  readonly says: Json;
  readonly quiet: readonly Change[];
  readonly unknown: readonly Change[];
  /** The run after the suggestion was followed; null where that is nothing a run can tell beforehand. */
  readonly followed: Change | null;
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function merged(a: Json, b: Json): Json {
  const result = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const before = result[key];
    result[key] = isObject(before) && isObject(value) ? merged(before, value) : value;
  }
  return result;
}

/** One change, and another on top of it. */
export const both = (a: Change, b: Change): Change => ({
  run: merged(a.run ?? {}, b.run ?? {}),
  tests: merged(a.tests ?? {}, b.tests ?? {}) as TestChanges,
});

export const run = (changes: Json): Change => ({ run: changes });
export const metrics = (testId: string, values: Json): Change => ({
  tests: { [testId]: { metrics: values } },
});
export const config = (changes: Json): Change => run({ config: changes });
export const gc = (changes: Json): Change => run({ gc: changes });
export const jvm = (changes: Json): Change => run({ jvm: changes });
export const host = (changes: Json): Change => run({ host: changes });
export const mspt = (changes: Json): Change => run({ ticks: { mspt: changes } });
