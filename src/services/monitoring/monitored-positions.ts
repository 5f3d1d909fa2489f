import type { Instant } from "../../core/time.ts";
import { type Work, one, run } from "../../store/engine/database.ts";
import {
  deletePosition,
  insertPosition,
  positionBefore,
  positionOf,
  shiftFrom,
} from "../../store/monitoring/monitored-positions.ts";

type Done = Work<void>;

/**
 * Positions of an account's monitored servers are 1, 2, 3 … from the oldest link to the newest, so that a
 * rank needs no count. Callers must hold the account's lock.
 */

/** Inserts a server at its position, usually as the newest, so that no other moves. */
export function* enterMonitoringOrder(account: string, server: string, linked: Instant): Done {
  const before = yield* one(positionBefore, { account, linked, server });
  const position = (before?.position ?? 0) + 1;
  yield* run(shiftFrom, { account, position, by: 1 });
  yield* run(insertPosition, { server, account, position });
}

/** Does nothing if the server was not monitored. */
export function* leaveMonitoringOrder(server: string): Done {
  const held = yield* one(positionOf, { server });
  if (held === null) return;
  yield* run(deletePosition, { server });
  yield* run(shiftFrom, { account: held.account_id, position: held.position, by: -1 });
}
