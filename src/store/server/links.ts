import { one, type Work } from "../engine/database.ts";
import type { Sender } from "../../core/server/link-code.ts";
import { forUpdate, query } from "../engine/query.ts";
import { linkedServers } from "./server-rows.ts";
import type { RowOf } from "../engine/table.ts";
import { linkCodeTable } from "./tables.ts";

/** Inserts nothing if the code exists, or the installation got another code at the same time. */
export const insertCode = query<{
  code: string;
  installation: string;
  claim: string;
  facts: string;
  created: number;
  expires: number;
}>()((db, $) =>
  db
    .insertInto("link_code")
    .values({
      code: $.code,
      installation_id: $.installation,
      claim_digest: $.claim,
      facts: $.facts,
      created_at: $.created,
      expires_at: $.expires,
      used_by: null,
      server_id: null,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

export const dropUnusedCodes = query<{ installation: string }>()((db, $) =>
  db.deleteFrom("link_code").where("installation_id", "=", $.installation).where("used_by", "is", null),
);

export const lockCode = query<{ code: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("link_code").select(linkCodeTable.columns).where("code", "=", $.code)),
);

export const findClaim = query<{ claim: string }>()((db, $) =>
  db.selectFrom("link_code").select(["server_id", "expires_at"]).where("claim_digest", "=", $.claim),
);

export const lockClaim = query<{ claim: string }>()((db, $, dialect) =>
  forUpdate(
    dialect,
    db.selectFrom("link_code").select(linkCodeTable.columns).where("claim_digest", "=", $.claim),
  ),
);

const senderOfServer = query<{ server: string }>()((db, $) =>
  db.selectFrom("server").select("sender").where("id", "=", $.server),
);

export const markCodeUsed = query<{ code: string; account: string; server: string }>()((db, $) =>
  db.updateTable("link_code").set({ used_by: $.account, server_id: $.server }).where("code", "=", $.code),
);

export const setSender = query<{ server: string; sender: string }>()((db, $) =>
  db.updateTable("server").set({ sender: $.sender }).where("id", "=", $.server),
);

export const byInstallation = query<{ installation: string }>()((db, $) =>
  db
    .selectFrom("server")
    .select(["id", "account_id", "linked_by", "kept_until", "monitoring_enabled"])
    .where("installation_id", "=", $.installation),
);

export const linkedServerById = query<{ id: string }>()((db, $) =>
  linkedServers(db).where("s.id", "=", $.id),
);

export const countLinkedServers = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("server")
    .select((eb) => [
      eb.fn.countAll<number>().as("linked"),
      eb.fn.sum<number | null>("monitoring_enabled").as("enabled"),
    ])
    .where("account_id", "=", $.account),
);

export const insertServer = query<{
  id: string;
  sender: string;
  account: string;
  installation: string;
  name: string | null;
  monitoring: number;
  address: string | null;
  port: number | null;
  now: number;
}>()((db, $) =>
  db.insertInto("server").values({
    id: $.id,
    account_id: $.account,
    linked_by: $.account,
    sender: $.sender,
    installation_id: $.installation,
    name: $.name,
    is_public: 0,
    monitoring_enabled: $.monitoring,
    show_address_on_report: 0,
    notify_on_report: 1,
    address: $.address,
    port: $.port,
    linked_at: $.now,
    created_at: $.now,
  }),
);

/** Relinks a server with its old settings; a name from the new link replaces the old one. */
export const restoreServer = query<{
  id: string;
  account: string;
  name: string | null;
  monitoring: number;
  now: number;
}>()((db, $) =>
  db
    .updateTable("server")
    .set((eb) => ({
      account_id: $.account,
      kept_until: null,
      name: eb.fn.coalesce(eb.val($.name), "name"),
      monitoring_enabled: $.monitoring,
      linked_at: $.now,
    }))
    .where("id", "=", $.id),
);

/** Locked, so that a concurrent first use either counts first, or finds the credential replaced. */
export const lockClaimedCredentials = query<{ claim: string }>()((db, $, dialect) =>
  forUpdate(
    dialect,
    db.selectFrom("server_credential").select("first_used_at").where("claim_digest", "=", $.claim),
  ),
);

export const insertCredential = query<{ digest: string; server: string; claim: string; now: number }>()(
  (db, $) =>
    db
      .insertInto("server_credential")
      .values({ digest: $.digest, server_id: $.server, claim_digest: $.claim, created_at: $.now }),
);

export const holderOf = query<{ code: string }>()((db, $) =>
  db
    .selectFrom("link_code as c")
    .innerJoin("server as s", "s.installation_id", "c.installation_id")
    .select("s.account_id")
    .where("c.code", "=", $.code),
);

export type CodeRow = RowOf<typeof linkCodeTable>;

export function* selectSender(server: string): Work<Sender> {
  const known = yield* one(senderOfServer, { server });
  return known?.sender === "agent" ? "agent" : "plugin";
}
