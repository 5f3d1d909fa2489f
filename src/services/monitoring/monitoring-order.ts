import type { Instant } from "../../core/time.ts";
import { one, run, type Result, type Step } from "../../store/engine/database.ts";
import {
  deletePosition,
  insertPosition,
  positionBefore,
  positionOf,
  shiftFrom,
} from "../../store/monitoring/monitoring-order.ts";

type Done = Generator<Step, void, Result>;

/**
 * The positions of an account's monitored servers are 1, 2, 3 … from its oldest link to its newest; so a rank is read
 * without a count. Whoever changes them holds the account's lock.
 */

/** Gives a server that is monitored from here on its position; usually it is the newest, and no other one moves. */
export function* enterMonitoringOrder(account: string, server: string, linked: Instant): Done {
  const before = yield* one(positionBefore, { account, linked, server });
  const position = (before?.position ?? 0) + 1;
  yield* run(shiftFrom, { account, position, by: 1 });
  yield* run(insertPosition, { server, account, position });
}

/** Takes a server out of the order; nothing when it was not monitored. */
export function* leaveMonitoringOrder(server: string): Done {
  const held = yield* one(positionOf, { server });
  if (held === null) return;
  yield* run(deletePosition, { server });
  yield* run(shiftFrom, { account: held.account_id, position: held.position, by: -1 });
}
