import { rulesOf, alertRuleOfAccount } from "../../../src/store/alert/alert-rules.ts";
import { changeAlertRule } from "../../../src/services/alert/change-alert-rule.ts";
import { eventRulesOf } from "../../../src/store/alert/event-rules.ts";
import { addEventRule } from "../../../src/services/alert/add-event-rule.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { Refusal } from "../../../src/core/errors.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { eachDatabase } from "../../support/databases.ts";
import { eventRule, second, told, traceOf, watchedServer } from "./alerting.ts";
import { day, minute, newAccount, newId, noon, times } from "../engine/rows.ts";

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  const kindOf = async (sent: Promise<{ kind: string } | null>) => (await sent)?.kind;

  describe("a rule", () => {
    it("[ALR-01] is found as it was made, newest first, by its own account alone", async () => {
      const { account, id, send, rule } = await watchedServer(db);
      const offline = { name: "Silence 💾", metric: "offline", condition: null, threshold: null } as const;
      const made = await rule({ ...offline, durationMinutes: 7, cooldownMinutes: 1440, notify: told });
      expect(made).toMatchObject({ ...offline, openAlertId: null, lastTriggeredAt: null, updatedAt: noon });
      const later = await send({ threshold: 0.1 }, { now: noon + 1 });
      expect(await db.read(rulesOf, id)).toEqual([later?.kind === "created" && later.value, made]);
      expect(await db.read(alertRuleOfAccount, made.id, account.id)).toEqual(made);
      expect(await db.read(alertRuleOfAccount, made.id, (await newAccount(db)).id)).toBeNull();
      expect(await db.read(alertRuleOfAccount, newId(), account.id)).toBeNull();
    });

    it("[ALR-12] [OUR-ALR-40] counts against the limit also when it is switched off, and at thirty at once", async () => {
      const { id, change, rule, send } = await watchedServer(db);
      await change(await rule(), { enabled: false });
      const results = await Promise.all(times(30).map((index) => send({ name: `rule ${index}` })));
      expect(results.filter((result) => result?.kind === "created")).toHaveLength(9);
      expect(results.filter((result) => result === null)).toHaveLength(21);
      expect(await db.read(rulesOf, id)).toHaveLength(10);
      expect(await send({ name: "beyond" })).toBeNull();
      expect(await kindOf(send({ name: "beyond" }, {}, 11))).toBe("created");
    });

    it("[ACC-32] that is made again at the limit is the same one", async () => {
      const { send } = await watchedServer(db);
      expect(await kindOf(send({}, {}, 1))).toBe("created");
      expect(await kindOf(send({}, {}, 1))).toBe("same");
    });
  });

  describe("a creation sent again", () => {
    it("[ACC-32] without a key is the same for ten minutes, whatever evaluation made of it", async () => {
      const { beat, look, rule, send } = await watchedServer(db);
      const made = await rule();
      await beat(noon + second, 5);
      const seen = await look(made);
      expect([seen.progress.state, seen.lastTriggeredAt, seen.updatedAt]).toEqual([
        "firing",
        noon + second,
        noon,
      ]);
      expect(await send({}, { now: noon + 10 * minute - 1 })).toEqual({ kind: "same", value: seen });
      expect(await kindOf(send({}, { now: noon + 10 * minute }))).toBe("created");
    });

    it("[ACC-32] without a key makes a new one when the first was changed, with its key it finds it", async () => {
      const { change, rule, send } = await watchedServer(db);
      const made = await rule();
      await change(made, { name: "Other" });
      expect(await kindOf(send())).toBe("created");
      const keyed = await send({ name: "K" }, { key: "k" });
      if (keyed?.kind !== "created") throw new Error("no rule");
      await change(keyed.value, { enabled: false });
      const again = await send({ name: "K" }, { key: "k", now: noon + day - 1 });
      expect(again).toMatchObject({ kind: "same", value: { id: keyed.value.id, enabled: false } });
      expect(await send({ name: "L" }, { key: "k" })).toEqual({ kind: "mismatch" });
      expect(await kindOf(send({ name: "K" }, { key: "k", now: noon + day }))).toBe("created");
    });

    it.each([null, "k"])("[ACC-32] ten times at once makes one rule, key %s", async (key) => {
      const { id, send } = await watchedServer(db);
      const results = await Promise.all(times(10).map(() => send({}, { key })));
      expect(results.map((result) => result?.kind).toSorted()).toEqual([
        "created",
        ...times(9).map(() => "same"),
      ]);
      expect(await db.read(rulesOf, id)).toHaveLength(1);
    });

    it("[OUR-STO-28] one key for two servers at once makes one rule, and is told apart", async () => {
      const one = await watchedServer(db);
      const other = await watchedServer(db, one.account);
      const sent = times(6).map((index) => (index % 2 ? one : other).send({}, { key: "k" }));
      const kinds = (await Promise.all(sent)).map((result) => result?.kind);
      expect(kinds.filter((kind) => kind === "created")).toHaveLength(1);
      expect(kinds.filter((kind) => kind === "mismatch")).toHaveLength(3);
    });
  });

  describe("a change", () => {
    it("[ALR-13] [ALR-14] that switches it off closes its alert, keeps the rest, and is a new version", async () => {
      const { alert, beat, change, inbox, look, rule } = await watchedServer(db);
      const made = await rule({ cooldownMinutes: 30, notify: told });
      await beat(noon + second, 5);
      expect((await look(made)).openAlertId).toBe((await alert()).id);
      const off = await change(made, { enabled: false }, noon + minute);
      expect(off).toMatchObject({ enabled: false, openAlertId: null, cooldownMinutes: 30, notify: told });
      expect(off?.progress).toMatchObject({ state: "paused", since: noon + minute });
      expect(await look(made)).toEqual(off);
      expect(await alert()).toMatchObject({
        status: "resolved",
        resolutionReason: "rule_disabled",
        resolvedAt: noon + minute,
      });
      expect((await inbox()).map(({ kind }) => kind)).toEqual(["resolved", "alert"]);
      await beat(noon + 2 * minute, 5);
      expect((await look(made)).progress.state).toBe("paused");
      await change(made, { enabled: true }, noon + 3 * minute);
      await beat(noon + 3 * minute + 1, 5);
      expect((await alert()).status).toBe("open");
    });

    it.each([{ metric: "mspt" }, { condition: "above" }, { threshold: 17 }, { durationMinutes: 1 }] as const)(
      "[OUR-ALR-41] of what it watches (%o) closes its alert and starts again",
      async (changes) => {
        const { alert, beat, change, look, rule } = await watchedServer(db);
        const made = await rule();
        await beat(noon, 5);
        await change(made, changes, noon + minute);
        expect(await alert()).toMatchObject({ status: "resolved", resolutionReason: "rule_changed" });
        expect(await look(made)).toMatchObject({
          openAlertId: null,
          progress: { state: "no_data", since: noon + minute, pendingSince: null },
        });
      },
    );

    it("[OUR-ALR-41] of anything else leaves its alert open", async () => {
      const { alert, beat, change, look, rule } = await watchedServer(db);
      const made = await rule();
      await beat(noon, 5);
      await change(made, { name: "Other", notify: told, cooldownMinutes: 9, mutedUntil: noon + day }, noon);
      expect(await alert()).toMatchObject({ status: "open", ruleName: "Low TPS" });
      const { openAlertId, progress } = await look(made);
      expect([openAlertId, progress.state]).toEqual([(await alert()).id, "firing"]);
    });

    it("[OUR-ALR-42] of nothing writes nothing and leaves nothing, and each other one is a version of its own", async () => {
      const { id, change, rule, timeline } = await watchedServer(db);
      const made = await rule();
      expect(await change(made, {}, noon + minute, [traceOf(id)])).toEqual(made);
      expect(await timeline()).toEqual([]);
      const names = await Promise.all(times(8).map((index) => change(made, { name: `n${index}` }, noon)));
      const versions = names.map((each) => each?.updatedAt);
      expect(new Set(versions).size).toBe(8);
      expect(Math.max(...versions.map((version) => version ?? 0))).toBe(noon + 8);
    });

    it("[OUR-ALR-42] is one step with what it leaves behind: what refuses undoes all of it", async () => {
      const { id, account, alert, beat, change, look, rule, timeline } = await watchedServer(db);
      const made = await rule();
      await beat(noon, 5);
      const refused = db.write(changeAlertRule, made.id, account.id, noon, () => {
        throw new Refusal("validation_error", "no");
      });
      await expect(refused).rejects.toThrow("no");
      const { event, notice } = traceOf(id);
      const unwritable = { notice, event: event && { ...event, metadata: { count: 1n } } };
      const broken = change(made, { enabled: false }, noon, [traceOf(id), unwritable]);
      await expect(broken).rejects.toThrow(/BigInt/);
      expect([(await look(made)).enabled, (await alert()).status, await timeline()]).toEqual([
        true,
        "open",
        [],
      ]);
      await change(made, { enabled: false }, noon, [traceOf(id)]);
      expect(await timeline()).toEqual(["rule_disabled"]);
    });

    it("[ACC-26] of another account's rule, or of none, finds nothing and asks nobody", async () => {
      const { rule } = await watchedServer(db);
      const stranger = await newAccount(db);
      const made = await rule();
      const ask = () => {
        throw new Error("asked");
      };
      expect(await db.write(changeAlertRule, made.id, stranger.id, noon, ask)).toBeNull();
      expect(await db.write(changeAlertRule, newId(), stranger.id, noon, ask)).toBeNull();
    });

    it("[OUR-ALR-42] meets others at once: the last one decides from what the ones before left", async () => {
      const { account, look, rule } = await watchedServer(db);
      const made = await rule({ cooldownMinutes: 0 });
      const add = () =>
        db.write(changeAlertRule, made.id, account.id, noon, (before) => ({
          definition: { ...before, cooldownMinutes: before.cooldownMinutes + 1 },
          muteToldUntil: null,
          traces: [],
        }));
      await Promise.all(times(12).map(add));
      expect((await look(made)).cooldownMinutes).toBe(12);
    });
  });

  describe("event rules", () => {
    it("[ALR-05] are found as they were made, newest first", async () => {
      const { id } = await watchedServer(db);
      const lists = {
        eventTypes: ["ban", 'a,"b"'],
        categories: ["moderation"],
        sources: ["LuckPerms"],
      } as const;
      const first = eventRule(id, { ...lists, minSeverity: "warning", mutedUntil: noon + 1, notify: told });
      const later = eventRule(id, { preset: null, eventTypes: [], createdAt: noon + 1 });
      expect(await db.write(addEventRule, first, 5)).toEqual(first);
      expect(await db.write(addEventRule, later, 5)).toEqual(later);
      expect(await db.read(eventRulesOf, id)).toEqual([later, first]);
      expect(await db.read(eventRulesOf, (await watchedServer(db)).id)).toEqual([]);
    });

    it("[OUR-ALR-40] hold their limit at twelve at once", async () => {
      const { id } = await watchedServer(db);
      const made = await Promise.all(times(12).map(() => db.write(addEventRule, eventRule(id), 5)));
      expect(made.filter(Boolean)).toHaveLength(5);
      expect(await db.read(eventRulesOf, id)).toHaveLength(5);
    });
  });
});
