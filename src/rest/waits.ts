import { queuesNow, type TurnQueue } from "../core/turns.ts";

/** Fewer that wait are no queue, however long they do: a machine that stood still for a moment is not overloaded. */
const queueFrom = 20;

/** How long something has to wait now, ms. */
export interface Waits {
  /** Calls until they begin. */
  readonly callMs: number;
  /** Work of several pieces, as long lists are, for each of its turns. */
  readonly pieceMs: number;
  /** Units of work for a connection to the database; a call has two or more. */
  readonly connectionMs: number;
}

export const noWaits: Waits = { callMs: 0, pieceMs: 0, connectionMs: 0 };

const waitIn = ({ waiting, longestMs }: TurnQueue): number => (waiting < queueFrom ? 0 : longestMs);

/** `connections`: who waits for a connection to the database. */
export function waitsNow(connections: TurnQueue): Waits {
  const { calls, pieces } = queuesNow();
  return { callMs: waitIn(calls), pieceMs: waitIn(pieces), connectionMs: waitIn(connections) };
}
