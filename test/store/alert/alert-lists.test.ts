import { addEventRule } from "../../../src/services/alert/add-event-rule.ts";
import { selectAlertCounts, selectAlerts } from "../../../src/store/alert/alerts.ts";
import { recordEvents } from "../../../src/services/event/record-events.ts";
import { beforeAll, describe, expect, it } from "vitest";
import type { AlertRecord } from "../../../src/core/alert/alert.ts";
import type { AlertFilter } from "../../../src/core/alert/records.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { eachDatabase } from "../../support/databases.ts";
import { eventRule, everyAlert, traceOf, untold, watchedServer } from "./alerting.ts";
import { minute, newAccount, noon, times } from "../engine/rows.ts";

eachDatabase((databases, kind) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  describe("the list", () => {
    /** Two servers, three rules and one on events, alerts of every status, some told and some not, opened in different minutes. */
    async function history() {
      const first = await watchedServer(db);
      const other = await watchedServer(db, first.account);
      const quiet = { name: "Quiet", notify: untold };
      const rules = [await first.rule(), await first.rule(quiet), await other.rule()] as const;
      for (const start of times(3).map((round) => noon + round * 10 * minute)) {
        for (const server of [first, other]) {
          await server.beat(start, 5);
          if (start > noon + 15 * minute) continue;
          await server.beats(start + minute, 1, 20);
        }
      }
      const [, newest] = await first.alerts({ serverId: first.id });
      if (newest) await first.acknowledge(newest, noon + 21 * minute);
      await first.db.write(addEventRule, eventRule(first.id, { eventTypes: [] }), 5);
      const { event } = traceOf(first.id, noon + 5 * minute);
      if (event) await first.db.write(recordEvents, first.id, [event], noon + 5 * minute);
      return { ...first, otherServer: other.id, rules, all: await first.alerts() };
    }

    const matches = (alert: AlertRecord, filter: AlertFilter): boolean => {
      const inProgress = alert.kind === "threshold" && alert.status !== "resolved";
      const { kind: wanted, status, since, until, ruleName, notified, serverId } = filter;
      const wasTold = Object.values(alert.delivery).some((record) => record?.status === "sent");
      return (
        (wanted === null || alert.kind === wanted) &&
        (status === null || (status === "open" ? inProgress : alert.status === status)) &&
        (since === null || alert.openedAt >= since) &&
        (until === null || alert.openedAt < until) &&
        (ruleName === null || alert.ruleName === ruleName) &&
        (notified === null || wasTold === notified) &&
        (serverId === null || alert.serverId === serverId)
      );
    };

    it("[ALR-06] [ALR-21] takes every combination of its filters", async () => {
      const { alerts, all, id, otherServer } = await history();
      expect(all.length).toBe(10);
      expect(new Set(all.map(({ status }) => status)).size).toBe(3);
      let combinations = 0;
      let rows = 0;
      for (const wanted of [null, "threshold", "event"] as const)
        for (const status of [null, "open", "acknowledged", "resolved"] as const)
          for (const since of [null, noon + 10 * minute])
            for (const until of [null, noon + 20 * minute])
              for (const ruleName of [null, "Quiet", "quiet"])
                for (const notified of [null, true, false])
                  for (const serverId of [null, id, otherServer]) {
                    const filter = { kind: wanted, status, since, until, ruleName, notified, serverId };
                    const answered = await alerts(filter);
                    expect(answered).toEqual(all.filter((alert) => matches(alert, filter)));
                    combinations += 1;
                    rows += answered.length;
                  }
      console.log(`alert filters on ${kind}: ${combinations} combinations, ${rows} rows, 0 wrong`);
    });

    it("[OUR-MCP-84] is counted by rule as it is listed, the rules with the most alerts first", async () => {
      const { db, account, alerts, all, id } = await history();
      for (const filter of [
        {},
        { status: "open" as const },
        { status: "open" as const, kind: "event" as const },
        { since: noon + 10 * minute },
        { since: noon + 5 * minute, until: noon + 15 * minute },
        { serverId: id, notified: true },
        { ruleName: "nothing" },
      ]) {
        const listed = await alerts(filter);
        const counted = new Map<string, number>();
        for (const { ruleId } of listed) counted.set(ruleId, (counted.get(ruleId) ?? 0) + 1);
        const { alerts: total, rules } = await db.read(
          selectAlertCounts,
          account.id,
          { ...everyAlert, ...filter },
          10,
        );
        expect(total).toBe(listed.length);
        expect(new Map(rules.map((rule) => [rule.ruleId, rule.alerts]))).toEqual(counted);
        const numbers = rules.map((rule) => rule.alerts);
        expect(numbers).toEqual(numbers.toSorted((one, other) => other - one));
      }
      const first = await db.read(selectAlertCounts, account.id, everyAlert, 1);
      expect([first.alerts, first.rules.length]).toEqual([all.length, 1]);
    });

    it("[PAG-03] goes on from any of its rows, newest first, ties by id", async () => {
      const { db, account, all } = await history();
      for (const [index, { openedAt, id }] of all.entries()) {
        const rest = await db.read(selectAlerts, account.id, everyAlert, { at: openedAt, id }, 4);
        expect(rest).toEqual(all.slice(index + 1, index + 5));
      }
      expect(await db.read(selectAlerts, (await newAccount(db)).id, everyAlert, null, 10)).toEqual([]);
    });
  });
});
