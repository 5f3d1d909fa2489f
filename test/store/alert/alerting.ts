import { alertRuleOfAccount } from "../../../src/store/alert/alert-rules.ts";
import { addAlertRule } from "../../../src/services/alert/add-alert-rule.ts";
import { changeAlertRule } from "../../../src/services/alert/change-alert-rule.ts";
import { selectAlerts } from "../../../src/store/alert/alerts.ts";
import { acknowledgeOpenAlert } from "../../../src/services/alert/acknowledge-alert.ts";
import { sweepServers } from "../../../src/services/alert/sweep-servers.ts";
import { selectInbox } from "../../../src/store/notice/notices.ts";
import { recordHeartbeat } from "../../../src/services/metric/record-heartbeat.ts";
import type { Account } from "../../../src/core/access/account.ts";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import type { RuleDefinition, RuleRecord } from "../../../src/core/alert/alert-rule.ts";
import type { AlertRecord } from "../../../src/core/alert/alert.ts";
import type { ChannelRecord } from "../../../src/core/alert/delivery.ts";
import type { EventRuleRecord } from "../../../src/core/alert/event-rule.ts";
import type { AlertFilter } from "../../../src/core/alert/records.ts";
import type { Trace } from "../../../src/core/event/trace.ts";
import { ruleDisabled } from "../../../src/core/event/own-event.ts";
import type { SendFailed } from "../../../src/core/notice/notifier.ts";
import type { Replay } from "../../../src/core/replay.ts";
import { all, run, type Database } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { newAccount, newId, newServer, noon, sampleAt } from "../engine/rows.ts";

/** An attempt that failed, and may be made again unless told otherwise. */
export const failure = (changes: Partial<SendFailed> = {}): SendFailed => ({
  status: "failed",
  reason: "provider_error",
  detail: "500",
  again: "later",
  retryAfterMs: null,
  ...changes,
});

export const second = 1000;
export const limits = defaultPlans.pro;
export const limitsOf = () => limits;
export const told = { email: true, chat: true, in_app: true };
export const untold = { email: false, chat: false, in_app: false };

/** A rule that opens with the first bad sample and is told in the browser, without a cooldown. */
export const definition = (changes: Partial<RuleDefinition> = {}): RuleDefinition => ({
  name: "Low TPS",
  metric: "tps",
  condition: "below",
  threshold: 18,
  durationMinutes: 0,
  cooldownMinutes: 0,
  notify: { ...untold, in_app: true },
  enabled: true,
  mutedUntil: null,
  ...changes,
});

export const everyAlert: AlertFilter = {
  kind: null,
  status: null,
  since: null,
  until: null,
  ruleName: null,
  notified: null,
  channel: null,
  serverId: null,
};

const dispatchesOf = query<{ account: string }>()((db, $) =>
  db.selectFrom("dispatch").selectAll().where("account_id", "=", $.account).orderBy("id"),
);

const eventsOf = query<{ server: string }>()((db, $) =>
  db.selectFrom("server_event").select("type").where("server_id", "=", $.server).orderBy("id"),
);

const forgetDispatches = query<Record<string, never>>()((db) => db.deleteFrom("dispatch"));

/** Nothing waits to be sent any more, whoever it is for: suites share a database. */
export const nothingWaits = (db: Database): Promise<number> =>
  db.writeRelaxed(() => run(forgetDispatches, {}));

/** A server, of a new account unless told otherwise, and what happens to it. */
export async function watchedServer(db: Database, owner?: Account) {
  const account = owner ?? (await newAccount(db));
  const { id } = (await newServer(db, account)).server;

  const send = (changes: Partial<RuleDefinition> = {}, replay: Partial<Replay> = {}, limit = 10) => {
    const now = replay.now ?? noon;
    const rule = {
      id: newId(),
      serverId: id,
      accountId: account.id,
      definition: definition(changes),
      now,
      limit,
    };
    const body = JSON.stringify([id, changes]);
    return db.write(addAlertRule, rule, {
      accountId: account.id,
      route: "rules",
      key: null,
      bodyDigest: body,
      now,
      ...replay,
    });
  };
  const rule = async (changes: Partial<RuleDefinition> = {}): Promise<RuleRecord> => {
    const made = await send(changes);
    if (made?.kind !== "created") throw new Error(`No rule was made: ${made?.kind}`);
    return made.value;
  };
  const beat = (at: number, tps: number | null, through: Database = db, receivedAt = at) =>
    through.write(recordHeartbeat, {
      serverId: id,
      receivedAt,
      bootTimestamp: null,
      lastTickAgeMs: null,
      announcement: null,
      limits,
      sample: tps === null ? null : sampleAt(at, { tps }),
    });
  /** A sample of that rate every 30 seconds, from `from` for so many minutes, both ends included. */
  const beats = async (from: number, minutes: number, tps: number): Promise<void> => {
    for (let at = from; at <= from + minutes * 60 * second; at += 30 * second) await beat(at, tps);
  };
  const alerts = (filter: Partial<AlertFilter> = {}): Promise<AlertRecord[]> =>
    db.read(selectAlerts, account.id, { ...everyAlert, ...filter }, null, 100);
  const alert = async (): Promise<AlertRecord> => {
    const [newest] = await alerts();
    if (!newest) throw new Error("There is no alert.");
    return newest;
  };
  const change = (of: RuleRecord, changes: Partial<RuleDefinition>, now = noon, traces: Trace[] = []) =>
    db.write(changeAlertRule, of.id, account.id, now, (before) => ({
      definition: { ...before, ...changes },
      muteToldUntil: null,
      traces,
    }));
  const look = async (of: RuleRecord): Promise<RuleRecord> => {
    const found = await db.read(alertRuleOfAccount, of.id, account.id);
    if (!found) throw new Error("The rule is gone.");
    return found;
  };
  const acknowledge = (of: AlertRecord, now: number, through: Database = db) =>
    through.write(acknowledgeOpenAlert, of.id, account.id, "api", now, () => null);
  const sweep = (now: number) => sweepServers(db, [id], limitsOf, now);
  const waiting = () => db.read(() => all(dispatchesOf, { account: account.id }));
  const timeline = async () => (await db.read(() => all(eventsOf, { server: id }))).map(({ type }) => type);
  const inbox = () => db.read(selectInbox, account.id, null, 100);
  const acts = { send, rule, beat, beats, change, acknowledge, sweep };
  return { db, account, id, ...acts, alerts, alert, look, waiting, timeline, inbox };
}

export type Watched = Awaited<ReturnType<typeof watchedServer>>;

/** A server whose rule, told by e-mail alone, has just opened an alert. */
export async function mailedAlert(db: Database): Promise<Watched> {
  const server = await watchedServer(db);
  await server.rule({ notify: { ...untold, email: true }, cooldownMinutes: 30 });
  await server.beat(noon, 5);
  return server;
}

export const email = async ({ alert }: Watched): Promise<ChannelRecord> => (await alert()).delivery.email;

/** An entry in the timeline, as an act leaves one behind. */
export const traceOf = (serverId: string, now = noon): Trace => ({
  event: ruleDisabled(
    { id: newId(), serverId, now },
    { name: "laptop", client: null },
    { id: "r", name: "n" },
  ),
  notice: null,
});

export const eventRule = (serverId: string, changes: Partial<EventRuleRecord> = {}): EventRuleRecord => ({
  id: newId(),
  serverId,
  name: "Bans",
  preset: "bans",
  eventTypes: ["ban"],
  categories: [],
  minSeverity: null,
  sources: [],
  cooldownMinutes: 0,
  notify: { ...untold, in_app: true },
  enabled: true,
  mutedUntil: null,
  lastTriggeredAt: null,
  lastNotifiedAt: null,
  createdAt: noon,
  updatedAt: noon,
  ...changes,
});
