import { V7Generator } from "uuidv7";

/** If the clock steps back less than this, new ids still sort after older ones, ms. */
const rollbackAllowanceMs = 10_000;

const generator = new V7Generator();

/** An id (UUID version 7) for a row that a unit of work creates itself, such as an alert or its message. */
export const newId = (now: number): string =>
  generator.generateOrResetCore(now, rollbackAllowanceMs).toString();
