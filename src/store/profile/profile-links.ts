import type { ProfileLinkRecord } from "../../core/profile/profile-link.ts";
import type { Instant } from "../../core/time.ts";
import { all, one, run, type Work } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { profileLinkTable } from "./tables.ts";

const ofSummary = query<{ account: string; summary: string; now: number }>()((db, $) =>
  db
    .selectFrom("profile_link")
    .select(profileLinkTable.of("profile_link"))
    .where("account_id", "=", $.account)
    .where("summary_id", "=", $.summary)
    .where("expires_at", ">", $.now)
    .orderBy("created_at"),
);

const ofAccount = query<{ account: string; now: number }>()((db, $) =>
  db
    .selectFrom("profile_link as k")
    .leftJoin("profile_document as d", "d.summary_id", "k.summary_id")
    .leftJoin("server as s", (join) =>
      join.onRef("s.id", "=", "d.server_id").onRef("s.account_id", "=", "k.account_id"),
    )
    .select(profileLinkTable.of("k"))
    .select(["s.id as server", "s.name as server_name", "d.uploaded_at as uploaded"])
    .where("k.account_id", "=", $.account)
    .where("k.expires_at", ">", $.now)
    .orderBy("k.created_at", "desc")
    .orderBy("k.id", "desc"),
);

/** Counts valid links: a link to a profile that is no longer kept is not valid. */
const countOfAccount = query<{ account: string; now: number }>()((db, $) =>
  db
    .selectFrom("profile_link as k")
    .innerJoin("profile_document as d", "d.summary_id", "k.summary_id")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("k.account_id", "=", $.account)
    .where("k.expires_at", ">", $.now),
);

/** A link is valid while its account still has the server and is not suspended. */
const byDigest = query<{ digest: string; now: number }>()((db, $) =>
  db
    .selectFrom("profile_link as k")
    .innerJoin("profile_summary as p", "p.id", "k.summary_id")
    .innerJoin("server as s", "s.id", "p.server_id")
    .innerJoin("account as a", "a.id", "k.account_id")
    .innerJoin("profile_document as d", "d.summary_id", "p.id")
    .select(["k.id", "k.account_id", "d.id as profile_id"])
    .where("k.digest", "=", $.digest)
    .where("k.expires_at", ">", $.now)
    .whereRef("s.account_id", "=", "k.account_id")
    .where("a.role", "<>", "suspended"),
);

const insert = query<RowOf<typeof profileLinkTable>>()((db, $) =>
  db.insertInto("profile_link").values(placesOf(profileLinkTable.columns, $)),
);

const remove = query<{ id: string; account: string }>()((db, $) =>
  db.deleteFrom("profile_link").where("id", "=", $.id).where("account_id", "=", $.account),
);

export const dropProfileLinks = query<{ server: string }>()((db, $) =>
  db
    .deleteFrom("profile_link")
    .where("summary_id", "in", (of) =>
      of.selectFrom("profile_summary").select("id").where("server_id", "=", $.server),
    ),
);

export interface LinkedProfile {
  readonly linkId: string;
  readonly accountId: string;
  readonly profileId: string;
}

export function* selectProfileLinks(
  account: string,
  summary: string,
  now: Instant,
): Work<ProfileLinkRecord[]> {
  return (yield* all(ofSummary, { account, summary, now })).map(profileLinkTable.toRecord);
}

/** `profile` is null if the link leads nowhere. */
interface OwnProfileLink {
  readonly record: ProfileLinkRecord;
  readonly profile: {
    readonly id: string;
    readonly serverId: string;
    readonly serverName: string | null;
    readonly uploadedAt: Instant;
  } | null;
}

export function* selectOwnProfileLinks(account: string, now: Instant): Work<OwnProfileLink[]> {
  return (yield* all(ofAccount, { account, now })).map((row) => ({
    record: profileLinkTable.toRecord(row),
    profile:
      row.server === null || row.uploaded === null
        ? null
        : {
            id: row.summary_id,
            serverId: row.server,
            serverName: row.server_name,
            uploadedAt: row.uploaded,
          },
  }));
}

export function* countProfileLinks(account: string, now: Instant): Work<number> {
  return (yield* one(countOfAccount, { account, now }))?.count ?? 0;
}

export function* insertProfileLink(link: ProfileLinkRecord, digest: string): Work<void> {
  yield* run(insert, { ...profileLinkTable.toRow(link), digest });
}

export function* deleteProfileLink(account: string, id: string): Work<boolean> {
  return (yield* run(remove, { id, account })) === 1;
}

/** Null if the link is no longer valid, or its full profile is no longer kept. */
export function* selectLinkedProfile(digest: string, now: Instant): Work<LinkedProfile | null> {
  const row = yield* one(byDigest, { digest, now });
  return row && { linkId: row.id, accountId: row.account_id, profileId: row.profile_id };
}
