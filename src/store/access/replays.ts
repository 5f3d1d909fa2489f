import { unkeyedReplayMs, type Replay } from "../../core/replay.ts";
import { type Work, all, run } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { writeReplayTable } from "./tables.ts";

/** Creations without a key share one row per body. */
export const replaySlot = ({ key, bodyDigest }: Replay): string =>
  key === null ? `body:${bodyDigest}` : `key:${key}`;

const made = [...writeReplayTable.own, "body_digest"] as const;

export const findReplayByKey = query<{
  account: string;
  route: string;
  slot: string;
  since: number;
  until: number;
}>()((db, $) =>
  db
    .selectFrom("write_replay")
    .select(made)
    .where("account_id", "=", $.account)
    .where("route", "=", $.route)
    .where("slot", "=", $.slot)
    .where("created_at", ">", $.since)
    .where("created_at", "<=", $.until),
);

const findByBody = query<{ account: string; route: string; digest: string; since: number; until: number }>()(
  (db, $) =>
    db
      .selectFrom("write_replay")
      .select(made)
      .where("account_id", "=", $.account)
      .where("route", "=", $.route)
      .where("body_digest", "=", $.digest)
      .where("created_at", ">", $.since)
      .where("created_at", "<=", $.until)
      .orderBy("created_at", "desc"),
);

const note = query<RowOf<typeof writeReplayTable>>()((db, $) =>
  db
    .insertInto("write_replay")
    .values(placesOf(writeReplayTable.columns, $))
    .onConflict((conflict) =>
      conflict.columns(["account_id", "route", "slot"]).doUpdateSet({
        body_digest: (eb) => eb.ref("excluded.body_digest"),
        resource_id: (eb) => eb.ref("excluded.resource_id"),
        resource_updated_at: (eb) => eb.ref("excluded.resource_updated_at"),
        created_at: (eb) => eb.ref("excluded.created_at"),
      }),
    ),
);

/** What an earlier request created, and its version then. */
export interface Made {
  readonly id: string;
  readonly updatedAt: number;
}

/** What the same body created recently, newest first. For creations without a key, such as forms. */
export function* findSameBody({ accountId, route, bodyDigest, now }: Replay): Work<Made[]> {
  const body = { account: accountId, route, digest: bodyDigest };
  return (yield* all(findByBody, { ...body, ...replayWindow(now, unkeyedReplayMs) })).map(
    writeReplayTable.toRecord,
  );
}

/**
 * Limits both directions: after a clock step back a repeat must not create twice, and a row from a clock a
 * year ahead must not block its key for a year.
 */
export const replayWindow = (now: number, windowMs: number) => ({
  since: now - windowMs,
  until: now + windowMs,
});

export function* noteMade(replay: Replay, id: string, updatedAt: number): Work<void> {
  yield* run(note, {
    ...writeReplayTable.toRow({ id, updatedAt }),
    account_id: replay.accountId,
    route: replay.route,
    slot: replaySlot(replay),
    body_digest: replay.bodyDigest,
    created_at: replay.now,
  });
}
