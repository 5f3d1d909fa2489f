import { noMeter } from "../../../src/contract/call/meter.ts";
import { addAlertRule } from "../../../src/services/alert/add-alert-rule.ts";
import { addressSealer, messageSender } from "../../../src/app/access/message-sender.ts";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import type { DeliveryRecord } from "../../../src/core/alert/delivery.ts";
import { deliverDue } from "../../../src/jobs/deliver.ts";
import { notifier } from "../../../src/outbound/notifier.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { readMail, startMailServer, type MailServer } from "../../outbound/mail-server.ts";
import { baseUrl } from "../../outbound/receiver.ts";
import type { Databases } from "../../support/databases.ts";
import { killed } from "../engine/kill-runs.ts";
import { openRaw, type RawDatabase } from "../engine/raw-database.ts";
import { minute, newAccount, newId, newServer, noon, sampleAt, times } from "../engine/rows.ts";
import type { Transitions } from "../engine/transition-worker.ts";
import type { Worker } from "../engine/workers.ts";

const servers = 6;
/** Acknowledged heartbeats that a process lives for at least; more each run, to die at different moments. */
const leastAcknowledged = 90;
const moreAtMost = 37;
/** Processes that have started and wait for their turn. */
const forked = 2;
/** Mails that one process has on their way at once. */
const atOnce = 4;

export interface TransitionResult {
  readonly kills: number;
  readonly alerts: number;
  readonly resolved: number;
  /** Heartbeats that were acknowledged and are gone. */
  readonly lostSamples: readonly string[];
  /** Alerts that the stored heartbeats call for and that are not there, and those nothing calls for. */
  readonly lostAlerts: readonly string[];
  readonly extraAlerts: readonly string[];
  /** Messages that went out by the record of their alert, and the different ones that arrived. */
  readonly told: number;
  readonly arrived: number;
  /** Alerts whose messages are neither sent nor on their way any more. */
  readonly untold: number;
  /** Mails beyond the first of a message, and the most of one message. */
  readonly repeated: number;
  readonly mostRepeated: number;
  readonly repeatedAtMost: number;
}

const tpsBelow = {
  metric: "tps",
  condition: "below",
  durationMinutes: 0,
  cooldownMinutes: 0,
  enabled: true,
  mutedUntil: null,
} as const;

async function ruledServer(db: Database): Promise<string> {
  const account = await newAccount(db);
  const { id: serverId } = (await newServer(db, account)).server;
  const replay = { accountId: account.id, route: "rules", key: null, now: noon };
  for (const threshold of [18, 10]) {
    const definition = {
      name: "Low TPS",
      ...tpsBelow,
      threshold,
      notify: { email: true, chat: false, in_app: false },
    };
    const rule = { id: newId(), serverId, accountId: account.id, definition, now: noon, limit: 9 };
    await db.write(addAlertRule, rule, { ...replay, bodyDigest: rule.id });
  }
  return serverId;
}

/** The alerts that the stored heartbeats of a server call for: when each opened, and when it was over. */
function calledFor(samples: readonly { at: number; tps: number }[]): [number, number | null][] {
  const alerts: [number, number | null][] = [];
  let open = false;
  let goodSince: number | null = null;
  let before: number | null = null;
  for (const { at, tps } of samples) {
    if (tps < 10) {
      if (!open) alerts.push([at, null]);
      [open, goodSince] = [true, null];
    } else {
      if (goodSince === null || before === null || at - before > 90_000) goodSince = at;
      const newest = alerts.at(-1);
      if (open && newest && at - goodSince >= 60_000) [newest[1], open] = [at, false];
    }
    before = at;
  }
  return alerts;
}

async function compareAlerts(db: RawDatabase) {
  const samples = new Map<string, { at: number; tps: number }[]>();
  for (const row of await db.rows("SELECT server_id, sampled_at, tps FROM sample ORDER BY sampled_at")) {
    const id = String(row["server_id"]);
    samples.set(id, [...(samples.get(id) ?? []), { at: Number(row["sampled_at"]), tps: Number(row["tps"]) }]);
  }
  const expected = new Map<string, number>();
  for (const { id, server_id } of await db.rows("SELECT id, server_id FROM alert_rule"))
    for (const [opened, over] of calledFor(samples.get(String(server_id)) ?? []))
      expected.set(`${id} ${opened} ${over}`, 1);
  const extra: string[] = [];
  for (const row of await db.rows("SELECT rule_id, opened_at, resolved_at FROM alert")) {
    const key = `${row["rule_id"]} ${Number(row["opened_at"])} ${row["resolved_at"] === null ? null : Number(row["resolved_at"])}`;
    if (!expected.delete(key)) extra.push(key);
  }
  const stored = new Set([...samples].flatMap(([id, all]) => all.map(({ at }) => `sample ${id} ${at}`)));
  return { lostAlerts: [...expected.keys()], extraAlerts: extra, stored };
}

/** Sends what is still on its way, as the process does that comes after the last kill. */
async function sendTheRest(database: Database, { url }: MailServer, now: number): Promise<void> {
  const mailFrom = { name: "", address: "alerts@tickmark.example" };
  const outside = notifier({ smtpUrl: url, mailFrom, baseUrl });
  await deliverDue({
    db: database,
    plans: defaultPlans,
    meter: noMeter,
    sendMessage: messageSender(addressSealer(["a secret for tests only"]), outside),
    clock: () => now,
    signal: new AbortController().signal,
    warn: () => {},
  });
  outside.close();
}

/** What the alerts say of their messages. */
async function toldIn(db: RawDatabase) {
  let [told, untold, alerts, resolved] = [0, 0, 0, 0];
  for (const row of await db.rows("SELECT status, delivery FROM alert")) {
    const { email } = JSON.parse(String(row["delivery"])) as DeliveryRecord;
    const over = row["status"] === "resolved";
    alerts += 1;
    if (over) resolved += 1;
    const sent = Number(email.status === "sent") + Number(email.resolvedStatus === "sent");
    told += sent;
    if (sent < (over ? 2 : 1)) untold += 1;
  }
  return { told, untold, alerts, resolved };
}

function arrivals({ mails }: MailServer) {
  const byMessage = new Map<string, number>();
  for (const mail of mails) {
    const id = readMail(mail).headers.find(([name]) => name === "message-id")?.[1] ?? "";
    byMessage.set(id, (byMessage.get(id) ?? 0) + 1);
  }
  const counts = [...byMessage.values()];
  return {
    arrived: counts.length,
    repeated: mails.length - counts.length,
    mostRepeated: Math.max(0, ...counts) - 1,
  };
}

/** Kills so many processes in whose hands alerts open, are told and end, and compares with what was stored. */
export async function transitionRuns(
  databases: Databases,
  start: (...args: string[]) => Promise<Worker>,
  kills: number,
): Promise<TransitionResult> {
  const mail = await startMailServer();
  const url = await databases.url();
  const database = await databases.open(url);
  const ids: string[] = [];
  for (const _ of times(servers)) ids.push(await ruledServer(database));
  const { reported } = sampleAt(noon);
  // Later processes count from later on, so that no two tell of the same instant.
  const from = (kill: number): number => noon + (kill + 1) * 6000 * minute;
  const fork = (kill: number): Promise<Worker> => {
    const plan: Transitions = { servers: ids, from: from(kill), reported, smtpUrl: mail.url };
    return start(url, JSON.stringify(plan));
  };
  const waiting = times(Math.min(forked, kills)).map(fork);
  const acknowledged: string[] = [];
  for (const kill of times(kills)) {
    const worker = await waiting.shift();
    if (!worker) throw new Error("A worker waits for each turn.");
    if (kill + forked < kills) waiting.push(fork(kill + forked));
    acknowledged.push(...(await killed(worker, leastAcknowledged + (kill % moreAtMost))));
  }
  await sendTheRest(database, mail, from(kills));
  const db = await openRaw(url);
  const { stored, ...compared } = await compareAlerts(db);
  const told = await toldIn(db);
  await db.close();
  await mail.close();
  const lostSamples = acknowledged.filter((line) => !stored.has(line));
  return { kills, lostSamples, ...compared, ...told, ...arrivals(mail), repeatedAtMost: atOnce * kills };
}

export const transitionLine = (where: string, result: TransitionResult): string =>
  `kill -9 with alerts in transition on ${where}: ${result.kills} kills, ${result.alerts} alerts opened, ` +
  `${result.resolved} over, lost ${result.lostAlerts.length}, double or uncalled ${result.extraAlerts.length}; ` +
  `${result.told} messages told, ${result.arrived} arrived, ${result.repeated} twice, none more than ` +
  `${result.mostRepeated + 1} times`;
