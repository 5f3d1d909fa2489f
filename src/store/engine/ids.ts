import { V7Generator } from "uuidv7";

/** How far the clock may step back before ids stop being in order, ms. */
const rollbackAllowanceMs = 10_000;

const generator = new V7Generator();

/** An id for a row that a unit of work makes by itself: alerts, and what goes out because of them. */
export const newId = (now: number): string =>
  generator.generateOrResetCore(now, rollbackAllowanceMs).toString();
