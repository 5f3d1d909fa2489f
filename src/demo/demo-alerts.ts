import { addAlertRule } from "../services/alert/add-alert-rule.ts";
import { newEventRule } from "../core/alert/event-rule.ts";
import { addEventRule } from "../services/alert/add-event-rule.ts";
import { beginMaintenance } from "../services/maintenance/begin-maintenance.ts";
import { saveSettings } from "../store/notice/notification-settings.ts";
import { addressBinding } from "../app/access/message-sender.ts";
import type { AppContext } from "../contract/call/app-context.ts";
import type { Sealer } from "../app/access/sealed.ts";
import { maintenanceStart } from "../core/event/own-event.ts";
import { defaultSettings } from "../core/notice/records.ts";
import { minuteMs, type Instant } from "../core/time.ts";
import type { DemoAccount } from "./accounts.ts";
import type { AccountName, ServerSpec } from "./server-spec.ts";
import { watchOf, type EventRuleSpec, type RuleSpec } from "./rules.ts";

interface Watched {
  readonly spec: ServerSpec;
  readonly id: string;
}

/** The account that gets its messages, and notices too, at an address of its own. */
const notified: { readonly account: AccountName; readonly address: string } = {
  account: "hosting",
  address: "alerts@demo.tickmark.example",
};

/** The server in maintenance. */
const work = {
  server: "Harbour",
  sinceMinutes: 20,
  minutes: 180,
  reason: "New anti-cheat rules: expect false alarms",
} as const;

/** Makes what owners would make in the browser: rules, one address for messages, one maintenance window. */
export async function fillAlerts(
  { app, vault }: { readonly app: AppContext; readonly vault: Sealer },
  accounts: readonly DemoAccount[],
  servers: readonly Watched[],
  start: Instant,
): Promise<void> {
  await Promise.all([
    ...accounts.map((account) =>
      watchServers(
        app,
        account,
        servers.filter(({ spec }) => spec.account === account.name),
      ),
    ),
    saveAddress(app, vault, accounts, start),
    startMaintenance(app, servers, start),
  ]);
}

async function watchServers(
  app: AppContext,
  account: DemoAccount,
  servers: readonly Watched[],
): Promise<void> {
  for (const { id, spec } of servers) {
    const { rules, eventRules } = watchOf(spec.name);
    for (const rule of rules) await makeRule(app, account, id, rule);
    for (const rule of eventRules) await makeEventRule(app, account, id, rule);
  }
}

async function makeRule(
  { db, secrets, plans, clock }: AppContext,
  { account }: DemoAccount,
  serverId: string,
  { mutedMinutes, ...spec }: RuleSpec,
): Promise<void> {
  const now = clock();
  const replay = {
    accountId: account.id,
    route: "demo",
    key: `${serverId} ${spec.name}`,
    bodyDigest: secrets.digest(spec.name),
    now,
  };
  const made = await db.write(
    addAlertRule,
    {
      id: secrets.newId(now),
      serverId,
      accountId: account.id,
      definition: { ...spec, mutedUntil: mutedMinutes === 0 ? null : now + mutedMinutes * minuteMs },
      now,
      limit: plans[account.plan].alert_rules,
    },
    replay,
  );
  // A rule over the limit is no error: an operator's own plans may allow fewer rules.
  if (made?.kind === "mismatch") throw new Error(`The rule ${spec.name} stands twice.`);
}

async function makeEventRule(
  { db, secrets, plans, clock }: AppContext,
  { account }: DemoAccount,
  serverId: string,
  spec: EventRuleSpec,
): Promise<void> {
  const now = clock();
  await db.write(
    addEventRule,
    newEventRule({ ...spec, id: secrets.newId(now), serverId, cooldownMinutes: 30 }, now),
    plans[account.plan].event_rules,
  );
}

async function saveAddress(
  { db }: AppContext,
  vault: Sealer,
  accounts: readonly DemoAccount[],
  start: Instant,
): Promise<void> {
  const account = accounts.find(({ name }) => name === notified.account)?.account;
  if (!account) throw new Error(`The demo has no account ${notified.account}.`);
  const settings = {
    ...defaultSettings,
    sealedEmail: vault.seal(notified.address, addressBinding(account.id, "email")),
    emailVerifiedAt: start,
    noticesByEmail: true,
  };
  await db.write(saveSettings, account.id, settings, start);
}

async function startMaintenance(
  { db, secrets }: AppContext,
  servers: readonly Watched[],
  start: Instant,
): Promise<void> {
  const server = servers.find(({ spec }) => spec.name === work.server);
  if (!server) return;
  const serverId = server.id;
  const now = start - work.sinceMinutes * minuteMs;
  const { minutes: durationMinutes, reason } = work;
  await db.write(
    beginMaintenance,
    { serverId, durationMinutes, reason, by: "dashboard", now },
    // A window that a person started has an entry in the timeline, but needs no message.
    ({ record }) => ({
      event: maintenanceStart({ id: secrets.newId(now), serverId, now }, null, record),
      notice: null,
    }),
  );
}
