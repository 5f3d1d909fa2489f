import { noFacts, senderOf, ServerFacts } from "../../core/server/link-code.ts";
import type { ClaimResult, LinkRequest, LinkResult, LinkStore } from "../../core/server/store.ts";
import { revokeCredentials } from "../../store/access/credentials.ts";
import { all, one, run, Undo, type Database, type Result, type Step } from "../../store/engine/database.ts";
import { holdLinked, lockAccount } from "../../store/server/locks.ts";
import { forUpdate, query } from "../../store/engine/query.ts";
import { linkedServers, toRecord } from "../../store/server/server-rows.ts";
import { releaseInstallation, resumeSchedules } from "./leave-account.ts";

/** Changes nothing when the code is taken, or when the installation was given another one at the same time. */
const insertCode = query<{
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

const dropUnused = query<{ installation: string }>()((db, $) =>
  db.deleteFrom("link_code").where("installation_id", "=", $.installation).where("used_by", "is", null),
);

const codeColumns = ["code", "installation_id", "facts", "expires_at", "used_by", "server_id"] as const;

export const lockCode = query<{ code: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("link_code").select(codeColumns).where("code", "=", $.code)),
);

const findClaim = query<{ claim: string }>()((db, $) =>
  db.selectFrom("link_code").select(["server_id", "expires_at"]).where("claim_digest", "=", $.claim),
);

const lockClaim = query<{ claim: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("link_code").select(codeColumns).where("claim_digest", "=", $.claim)),
);

const senderOfServer = query<{ server: string }>()((db, $) =>
  db.selectFrom("server").select("sender").where("id", "=", $.server),
);

const markUsed = query<{ code: string; account: string; server: string }>()((db, $) =>
  db.updateTable("link_code").set({ used_by: $.account, server_id: $.server }).where("code", "=", $.code),
);

const setSender = query<{ server: string; sender: string }>()((db, $) =>
  db.updateTable("server").set({ sender: $.sender }).where("id", "=", $.server),
);

/** The code linked that server: whatever asked for it speaks for the server from here on. */
export function* spendCode(code: CodeRow, account: string, server: string): Generator<Step, void, Result> {
  yield* run(markUsed, { code: code.code, account, server });
  yield* run(setSender, { server, sender: senderOf(factsIn(code)) });
}

/** Linked or not. */
export const byInstallation = query<{ installation: string }>()((db, $) =>
  db
    .selectFrom("server")
    .select(["id", "account_id", "linked_by", "kept_until", "monitoring_enabled"])
    .where("installation_id", "=", $.installation),
);

const byId = query<{ id: string }>()((db, $) => linkedServers(db).where("s.id", "=", $.id));

const countServers = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("server")
    .select((eb) => [
      eb.fn.countAll<number>().as("linked"),
      eb.fn.sum<number | null>("monitoring_enabled").as("enabled"),
    ])
    .where("account_id", "=", $.account),
);

const insertServer = query<{
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

/** It keeps what its owner set; a name that comes with the link takes the place of the old one. */
const bringBack = query<{
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

/** Locked, so that a first use that is under way counts before they are replaced, or finds them replaced. */
const lockCredentials = query<{ claim: string }>()((db, $, dialect) =>
  forUpdate(
    dialect,
    db.selectFrom("server_credential").select("first_used_at").where("claim_digest", "=", $.claim),
  ),
);

const insertCredential = query<{ digest: string; server: string; claim: string; now: number }>()((db, $) =>
  db
    .insertInto("server_credential")
    .values({ digest: $.digest, server_id: $.server, claim_digest: $.claim, created_at: $.now }),
);

type Link = Generator<Step, LinkResult, Result>;

export interface CodeRow {
  code: string;
  installation_id: string;
  facts: string;
  expires_at: number;
  used_by: string | null;
  server_id: string | null;
}

function* useCode(request: LinkRequest): Link {
  yield* lockAccount(request.accountId);
  const code = yield* one(lockCode, { code: request.code });
  if (!code) return { kind: "unknown" };
  if (code.used_by !== null) return yield* replay(code, request.accountId);
  if (code.expires_at <= request.now) return { kind: "unknown" };
  const known = yield* one(byInstallation, { installation: code.installation_id });
  if (known?.account_id === request.accountId) return { kind: "already_linked", serverId: known.id };
  return known && known.account_id !== null
    ? { kind: "unknown" }
    : yield* linkInstallation(code, known, request);
}

/** A code that was used answers the account that used it with the server it made, as long as that is linked. */
export function* replay(code: CodeRow, accountId: string): Link {
  const server =
    code.used_by === accountId && code.server_id !== null ? yield* one(byId, { id: code.server_id }) : null;
  return server && server.account_id === accountId
    ? { kind: "same", server: toRecord(server) }
    : { kind: "unknown" };
}

interface FormerServer {
  readonly id: string;
  readonly linked_by: string;
  readonly kept_until: number | null;
  readonly monitoring_enabled: number;
}

/** Links an installation that is linked to nobody, as the server it was where the same account had it of late. */
export function* linkInstallation(code: CodeRow, former: FormerServer | null, request: LinkRequest): Link {
  const { accountId: account, now } = request;
  const counted = yield* one(countServers, { account });
  if ((counted?.linked ?? 0) >= request.maxServers) return { kind: "full" };
  const hasRoom = (counted?.enabled ?? 0) < request.monitoredServers;
  const returns = former !== null && former.linked_by === account && (former.kept_until ?? 0) > now;
  if (former !== null && !returns) yield* releaseInstallation(former.id);
  const id = returns ? former.id : request.newServerId;
  if (returns) {
    const monitoring = Number(hasRoom && former.monitoring_enabled === 1);
    yield* run(bringBack, { id, account, name: request.name, monitoring, now });
    yield* resumeSchedules(id, now);
  } else yield* insertNew(code, request, hasRoom);
  yield* spendCode(code, account, id);
  const server = yield* one(byId, { id });
  if (!server) throw new Error("A server that was just linked is gone.");
  return { kind: "linked", server: toRecord(server) };
}

const factsIn = ({ facts }: Pick<CodeRow, "facts">): ServerFacts =>
  ServerFacts.safeParse(JSON.parse(facts)).data ?? noFacts;

function* insertNew(
  code: CodeRow,
  request: LinkRequest,
  isMonitored: boolean,
): Generator<Step, void, Result> {
  const facts = factsIn(code);
  yield* run(insertServer, {
    id: request.newServerId,
    sender: senderOf(facts),
    account: request.accountId,
    installation: code.installation_id,
    name: request.name ?? facts.name,
    monitoring: Number(isMonitored),
    address: facts.address,
    port: facts.port,
    now: request.now,
  });
}

export function linkStore(db: Database): LinkStore {
  return {
    senderOf: async (server) => {
      const known = await db.read(() => one(senderOfServer, { server }));
      return known?.sender === "agent" ? "agent" : "plugin";
    },
    offer: ({ code, installationId, claimDigest, facts, createdAt, expiresAt }) =>
      db.write("saved", function* () {
        const values = {
          code,
          installation: installationId,
          claim: claimDigest,
          facts: JSON.stringify(facts),
          created: createdAt,
          expires: expiresAt,
        };
        yield* run(dropUnused, { installation: installationId });
        if ((yield* run(insertCode, values)) === 0) throw new Undo(false);
        return true;
      }),
    use: (request) => db.write("saved", () => useCode(request)),
    claim: async (claimDigest, credentialDigest, now) => {
      // Whoever asks before the code is used, or guesses, is answered without a write.
      const asked = await db.read(() => one(findClaim, { claim: claimDigest }));
      if (!asked) return { kind: "unknown" };
      if (asked.server_id === null) return asked.expires_at > now ? { kind: "pending" } : { kind: "unknown" };
      return db.write("saved", function* (): Generator<Step, ClaimResult, Result> {
        const code = yield* one(lockClaim, { claim: claimDigest });
        if (code?.server_id == null) return { kind: "unknown" };
        if ((yield* holdLinked(code.server_id)) === null) return { kind: "unknown" };
        const earlier = yield* all(lockCredentials, { claim: claimDigest });
        if (earlier.some(({ first_used_at }) => first_used_at !== null)) return { kind: "unknown" };
        yield* run(revokeCredentials, { server: code.server_id, now });
        yield* run(insertCredential, {
          digest: credentialDigest,
          server: code.server_id,
          claim: claimDigest,
          now,
        });
        return { kind: "linked", serverId: code.server_id };
      });
    },
  };
}
