/**
 * How long a test waits for what has to come, ms: less than its own limit, and enough for a machine that does much else.
 * It is no measure: a test that passes never waits for it.
 */
export const patienceMs = 90_000;

/** The same, for what is looked at again and again. */
export const patience = { timeout: patienceMs, interval: 20 } as const;
