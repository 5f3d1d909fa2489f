import { firstRuleOf } from "../../core/alert/first-rule.ts";
import { noFacts, senderOf, ServerFacts } from "../../core/server/link-code.ts";
import type { LinkRequest, LinkResult } from "../../core/server/records.ts";
import { nothingReported } from "../../core/software/reported-software.ts";
import { recordReportedSoftware } from "../software/record-reported-software.ts";
import { enterMonitoringOrder } from "../monitoring/monitored-positions.ts";
import { releaseInstallation, resumeSchedules } from "./leave-account.ts";
import { insertEventRule } from "../../store/alert/event-rules.ts";
import { type Work, one, run } from "../../store/engine/database.ts";
import {
  byInstallation,
  countLinkedServers,
  insertServer,
  linkedServerById,
  lockCode,
  markCodeUsed,
  restoreServer,
  setSender,
  type CodeRow,
} from "../../store/server/links.ts";
import { lockAccount } from "../../store/server/locks.ts";
import { toRecord } from "../../store/server/server-rows.ts";

type Link = Work<LinkResult>;

export function* useLinkCode(request: LinkRequest): Link {
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

/** A used code: the account that used it gets its server, if that is still linked. */
export function* replay(code: CodeRow, accountId: string): Link {
  const server =
    code.used_by === accountId && code.server_id !== null
      ? yield* one(linkedServerById, { id: code.server_id })
      : null;
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

/** Links an unlinked installation. The account that had it recently gets the same server back. */
export function* linkInstallation(code: CodeRow, former: FormerServer | null, request: LinkRequest): Link {
  const { accountId: account, now } = request;
  const counted = yield* one(countLinkedServers, { account });
  if ((counted?.linked ?? 0) >= request.maxServers) return { kind: "full" };
  const hasRoom = (counted?.enabled ?? 0) < request.monitoredServers;
  const returns = former !== null && former.linked_by === account && (former.kept_until ?? 0) > now;
  if (former !== null && !returns) yield* releaseInstallation(former.id);
  const id = returns ? former.id : request.newServerId;
  const isMonitored = hasRoom && (!returns || former.monitoring_enabled === 1);
  if (returns) {
    yield* run(restoreServer, { id, account, name: request.name, monitoring: Number(isMonitored), now });
    yield* resumeSchedules(id, now);
  } else yield* insertNew(code, request, isMonitored);
  if (!returns && isMonitored && request.firstRuleId !== undefined)
    yield* insertEventRule(firstRuleOf(id, request.firstRuleId, now));
  if (isMonitored) yield* enterMonitoringOrder(account, id, now);
  yield* spendCode(code, account, id, now);
  const server = yield* one(linkedServerById, { id });
  if (!server) throw new Error("A server that was just linked is gone.");
  return { kind: "linked", server: toRecord(server) };
}

/** Marks a code as used; the program that requested it reports for the server from now on. */
export function* spendCode(code: CodeRow, account: string, server: string, now: number): Work<void> {
  const facts = factsIn(code);
  yield* run(markCodeUsed, { code: code.code, account, server });
  yield* run(setSender, { server, sender: senderOf(facts) });
  const { type, type_name: name, game_version: version, plugin_version } = facts;
  const software = { ...nothingReported, server: { type, name, version, build: null }, plugin_version };
  yield* recordReportedSoftware(server, software, { now, happenedAt: now });
}

const factsIn = ({ facts }: Pick<CodeRow, "facts">): ServerFacts =>
  ServerFacts.safeParse(JSON.parse(facts)).data ?? noFacts;

function* insertNew(code: CodeRow, request: LinkRequest, isMonitored: boolean): Work<void> {
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
