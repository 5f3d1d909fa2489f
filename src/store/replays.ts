import { keyedReplayMs, unkeyedReplayMs, type Replay } from "../core/replay.ts";
import { one, run, type Result, type Step } from "./database.ts";
import { query } from "./query.ts";

/** Without a key the body itself is what identifies the intent, so it stands in the key's place. */
const bodySlot = ({ bodyDigest }: Replay): string => `body:${bodyDigest}`;
const slot = (replay: Replay): string => (replay.key === null ? bodySlot(replay) : `key:${replay.key}`);

const find = query<{ account: string; route: string; slot: string; since: number }>()((db, $) =>
  db
    .selectFrom("write_replay")
    .select(["body_digest", "resource_id", "resource_updated_at"])
    .where("account_id", "=", $.account)
    .where("route", "=", $.route)
    .where("slot", "=", $.slot)
    .where("created_at", ">", $.since),
);

const note = query<{
  account: string;
  route: string;
  slot: string;
  digest: string;
  resource: string;
  updated: number;
  now: number;
}>()((db, $) =>
  db
    .insertInto("write_replay")
    .values({
      account_id: $.account,
      route: $.route,
      slot: $.slot,
      body_digest: $.digest,
      resource_id: $.resource,
      resource_updated_at: $.updated,
      created_at: $.now,
    })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "route", "slot"]).doUpdateSet({
        body_digest: (eb) => eb.ref("excluded.body_digest"),
        resource_id: (eb) => eb.ref("excluded.resource_id"),
        resource_updated_at: (eb) => eb.ref("excluded.resource_updated_at"),
        created_at: (eb) => eb.ref("excluded.created_at"),
      }),
    ),
);

/** What an earlier request of the same intent made. */
export type Earlier =
  | { readonly kind: "none" | "mismatch" }
  | { readonly kind: "made"; readonly id: string; readonly updatedAt: number };

/** Looks for an earlier request of the same intent; runs inside the creation's unit of work. */
export function* findEarlier(replay: Replay): Generator<Step, Earlier, Result> {
  const age = replay.key === null ? unkeyedReplayMs : keyedReplayMs;
  const row = yield* one(find, {
    account: replay.accountId,
    route: replay.route,
    slot: slot(replay),
    since: replay.now - age,
  });
  if (!row) return { kind: "none" };
  if (row.body_digest !== replay.bodyDigest) return { kind: "mismatch" };
  return { kind: "made", id: row.resource_id, updatedAt: row.resource_updated_at };
}

/**
 * Remembers what this request made: under its key, and under its body, by which a repeat that lost the key (or
 * comes from a face without keys) is known.
 */
export function* noteMade(replay: Replay, id: string, updatedAt: number): Generator<Step, void, Result> {
  const made = { resource: id, updated: updatedAt, now: replay.now };
  const common = { account: replay.accountId, route: replay.route, digest: replay.bodyDigest, ...made };
  yield* run(note, { ...common, slot: bodySlot(replay) });
  if (replay.key !== null) yield* run(note, { ...common, slot: slot(replay) });
}
