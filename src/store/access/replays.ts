import { keyedReplayMs, unkeyedReplayMs, type Replay } from "../../core/replay.ts";
import { all, one, run, type Result, type Step } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { writeReplayTable } from "./tables.ts";

/** Where a creation without a key stands: one row for each body. */
const slot = ({ key, bodyDigest }: Replay): string => (key === null ? `body:${bodyDigest}` : `key:${key}`);

const made = [...writeReplayTable.own, "body_digest"] as const;

const findByKey = query<{ account: string; route: string; slot: string; since: number; until: number }>()(
  (db, $) =>
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

/**
 * What earlier requests of the same intent made, newest first; runs inside the creation's unit of work. With a
 * key that is one thing at most, `mismatch` when the key came with another body; without a key it is whatever
 * the same body made, with a key or without one.
 */
export function* findEarlier(replay: Replay): Generator<Step, Made[] | "mismatch", Result> {
  if (replay.key === null) return yield* findSame(replay);
  const common = { account: replay.accountId, route: replay.route };
  const row = yield* one(findByKey, { ...common, slot: slot(replay), ...around(replay.now, keyedReplayMs) });
  if (!row) return [];
  return row.body_digest === replay.bodyDigest ? [writeReplayTable.toRecord(row)] : "mismatch";
}

/** What the same body made of late, newest first; forms of the browser carry no key. */
export function* findSame({ accountId, route, bodyDigest, now }: Replay): Generator<Step, Made[], Result> {
  const body = { account: accountId, route, digest: bodyDigest };
  return (yield* all(findByBody, { ...body, ...around(now, unkeyedReplayMs) })).map(
    writeReplayTable.toRecord,
  );
}

/** A clock that was set back since must not make a thing twice, and one that was a year ahead not hold a key so long. */
const around = (now: number, windowMs: number) => ({ since: now - windowMs, until: now + windowMs });

/** Remembers what this request made. */
export function* noteMade(replay: Replay, id: string, updatedAt: number): Generator<Step, void, Result> {
  yield* run(note, {
    ...writeReplayTable.toRow({ id, updatedAt }),
    account_id: replay.accountId,
    route: replay.route,
    slot: slot(replay),
    body_digest: replay.bodyDigest,
    created_at: replay.now,
  });
}
