import { unkeyedReplayMs, type Replay } from "../../core/replay.ts";
import { all, run, type Result, type Step } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { writeReplayTable } from "./tables.ts";

/** Where a creation without a key stands: one row for each body. */
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

/** What an earlier request made, and its version then. */
export interface Made {
  readonly id: string;
  readonly updatedAt: number;
}

/** What the same body made of late, newest first; forms of the browser carry no key. */
export function* findSameBody({
  accountId,
  route,
  bodyDigest,
  now,
}: Replay): Generator<Step, Made[], Result> {
  const body = { account: accountId, route, digest: bodyDigest };
  return (yield* all(findByBody, { ...body, ...replayWindow(now, unkeyedReplayMs) })).map(
    writeReplayTable.toRecord,
  );
}

/** A clock that was set back since must not make a thing twice, and one that was a year ahead not hold a key so long. */
export const replayWindow = (now: number, windowMs: number) => ({
  since: now - windowMs,
  until: now + windowMs,
});

/** Remembers what this request made. */
export function* noteMade(replay: Replay, id: string, updatedAt: number): Generator<Step, void, Result> {
  yield* run(note, {
    ...writeReplayTable.toRow({ id, updatedAt }),
    account_id: replay.accountId,
    route: replay.route,
    slot: replaySlot(replay),
    body_digest: replay.bodyDigest,
    created_at: replay.now,
  });
}
