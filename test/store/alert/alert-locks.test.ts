import { rulesOf } from "../../../src/store/alert/alert-rules.ts";
import { changeAlertRule } from "../../../src/services/alert/change-alert-rule.ts";
import { addEventRule } from "../../../src/services/alert/add-event-rule.ts";
import { sweepServers } from "../../../src/services/alert/sweep-servers.ts";
import { recordEvents } from "../../../src/services/event/record-events.ts";
import { closeMaintenance } from "../../../src/services/maintenance/close-maintenance.ts";
import { beginMaintenance } from "../../../src/services/maintenance/begin-maintenance.ts";
import { claimDispatch } from "../../../src/services/notice/claim-dispatch.ts";
import { settleDispatch } from "../../../src/services/notice/settle-dispatch.ts";
import { countTestMessage } from "../../../src/services/notice/count-test-message.ts";
import { changeServer } from "../../../src/services/server/change-server.ts";
import { beforeAll, expect, it } from "vitest";
import type { EventRecord } from "../../../src/core/event/server-event.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { rehearseUnits } from "../../support/rehearsal.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { isLong } from "../../support/long.ts";
import {
  eventRule,
  failure,
  limitsOf,
  second,
  told,
  traceOf,
  watchedServer,
  type Watched,
} from "./alerting.ts";
import { openRaw } from "../engine/raw-database.ts";
import { newId, noon, times } from "../engine/rows.ts";

const rounds = isLong ? 40 : 15;

// The rehearsal's savepoints make PostgreSQL 17 fail now and then when many units lock one row at once ("new
// multixact has more than one updating member"). The service itself uses no savepoints, so it is off here.
beforeAll(() => rehearseUnits([]));

const ban = (serverId: string, at: number): EventRecord => ({
  id: newId(),
  serverId,
  localId: newId(),
  type: "ban",
  category: "moderation",
  source: "LiteBans",
  severity: "info",
  title: "t",
  description: null,
  metadata: null,
  happenedAt: at,
  durationMs: null,
  receivedAt: at,
});

eachDatabase((databases, kind) => {
  /** Everything that touches alerts, on one server, at one moment. */
  function acts(server: Watched, through: Database, at: number): (() => Promise<unknown>)[] {
    const db = through;
    const { id, account } = server;
    const tps = (at / second) % 3 === 0 ? 5 : 20;
    const bans = times(3).map((): EventRecord => ban(id, at));
    return [
      () => server.beat(at, tps, through),
      () => sweepServers(db, [id], limitsOf, at),
      async () => {
        const [open] = await server.alerts({ status: "open" });
        if (open) await server.acknowledge(open, at, through);
      },
      async () => {
        const dispatch = await claimDispatch(db, at);
        const failed = failure({ reason: "timeout" });
        if (dispatch) await db.write(settleDispatch, dispatch, at % 2 ? failed : { status: "sent" }, at);
      },
      async () => {
        const [rule] = await db.read(rulesOf, id);
        if (!rule) return;
        await db.write(changeAlertRule, rule.id, account.id, at, (before) => ({
          definition: { ...before, enabled: !before.enabled },
          muteToldUntil: null,
          traces: [traceOf(id, at)],
        }));
      },
      () => db.write(recordEvents, id, bans, at),
      () =>
        db.write(
          beginMaintenance,
          { serverId: id, durationMinutes: 5, reason: null, by: "api", now: at },
          () => traceOf(id, at),
        ),
      () => db.write(closeMaintenance, id, at),
      () => server.send({ name: `rule ${at % 4}` }, { now: at, key: `k${at % 4}` }),
      () => db.write(countTestMessage, account.id, newId(), at),
      () => through.write(changeServer, id, { isPublic: at % 2 === 0 }, () => traceOf(id, at)),
    ];
  }

  it("[OUR-ALR-53] all that touches alerts, at once over two connections, waits for nobody in a circle and leaves one truth", async () => {
    const url = await databases.url();
    const [db, other] = [await databases.open(url), await databases.open(url)];
    const first = await watchedServer(db);
    const servers = [first, await watchedServer(db, first.account)];
    for (const server of servers) {
      for (const name of ["a", "b"]) await server.rule({ name, notify: told });
      await server.db.write(addEventRule, eventRule(server.id, { notify: told }), 5);
    }
    let done = 0;
    const started = performance.now();
    for (const round of times(rounds)) {
      const at = noon + round * 30 * second + round;
      const all = servers.flatMap((server) => [db, other].flatMap((through) => acts(server, through, at)));
      // Each round begins its acts in another order.
      const turned = [...all.slice(round % all.length), ...all.slice(0, round % all.length)];
      await Promise.all(turned.map((act) => act()));
      done += all.length;
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    for (const server of servers) {
      const alerts = await server.alerts();
      for (const rule of await server.db.read(rulesOf, server.id)) {
        const open = await server.alerts({ status: "open", serverId: server.id });
        const ofRule = open.filter(({ ruleId }) => ruleId === rule.id).map(({ id }) => id);
        expect(ofRule).toEqual(rule.openAlertId === null ? [] : [rule.openAlertId]);
        if (!rule.enabled) expect(rule.openAlertId).toBeNull();
      }
      const waiting = new Set(
        (await server.waiting()).map((row) => `${row.alert_id} ${row.channel} ${row.purpose}`),
      );
      for (const { id, delivery } of alerts)
        for (const channel of ["email", "chat"] as const) {
          const { status, resolvedStatus } = delivery[channel];
          expect(waiting.has(`${id} ${channel} opened`)).toBe(status === "pending");
          expect(waiting.has(`${id} ${channel} resolved`)).toBe(resolvedStatus === "pending");
        }
    }
    await Promise.all([db.close(), other.close()]);
    const deadlocks = await deadlocksOf(url);
    console.log(`locks on ${kind}: ${done} acts in ${seconds} s, ${deadlocks ?? "no"} deadlocks`);
    expect(deadlocks ?? 0).toBe(0);
  });

  /** As PostgreSQL counted them; null where there can be none. */
  async function deadlocksOf(url: string): Promise<number | null> {
    if (kind !== "PostgreSQL") return null;
    const raw = await openRaw(url);
    const [row] = await raw.rows("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
    await raw.close();
    return Number(row?.["deadlocks"]);
  }
}, sharedKinds);
