import { rulesOf } from "../../../src/store/alert/alert-rules.ts";
import { removeAlertRule } from "../../../src/services/alert/change-alert-rule.ts";
import { eventRuleOfAccount } from "../../../src/store/alert/event-rules.ts";
import { addEventRule } from "../../../src/services/alert/add-event-rule.ts";
import { changeEventRule, removeEventRule } from "../../../src/services/alert/change-event-rule.ts";
import { alertOfAccount } from "../../../src/store/alert/alerts.ts";
import { recordEvents } from "../../../src/services/event/record-events.ts";
import { claimDispatch } from "../../../src/services/notice/claim-dispatch.ts";
import { settleDispatch } from "../../../src/services/notice/settle-dispatch.ts";
import { expect, it } from "vitest";
import { ownTypes } from "../../../src/core/event/server-event.ts";
import { eachDatabase } from "../../support/databases.ts";
import { definition, eventRule, told, traceOf, untold, watchedServer } from "./alerting.ts";
import { newAccount, newId, noon, times } from "../engine/rows.ts";

const second = 1000;

eachDatabase((databases) => {
  it("[OUR-ERL-05] closes the open alert of a rule, tells its end where its opening was told, and nothing is left", async () => {
    const db = await databases.open();
    const server = await watchedServer(db);
    const rule = await server.rule({ notify: { ...untold, in_app: true } });
    await server.beat(noon, 5);
    const foreign = await newAccount(server.db);
    expect(await server.db.write(removeAlertRule, rule.id, foreign.id, noon)).toBe(false);
    expect(await server.alert()).toMatchObject({ status: "open" });
    expect(await server.db.write(removeAlertRule, rule.id, server.account.id, noon + second)).toBe(true);
    expect(await server.alert()).toMatchObject({
      status: "resolved",
      resolutionReason: "rule_deleted",
      resolvedAt: noon + second,
      delivery: { in_app: { status: "sent", resolvedStatus: "sent" } },
    });
    expect((await server.inbox()).map(({ kind }) => kind)).toEqual(["resolved", "alert"]);
    expect(await server.db.read(rulesOf, server.id)).toEqual([]);
    expect(await server.db.write(removeAlertRule, rule.id, server.account.id, noon)).toBe(false);
    await server.beat(noon + 30 * second, 5);
    await server.sweep(noon + 60 * second);
    expect(await server.alerts()).toHaveLength(1);
  });

  it("[OUR-ERL-05] tells nobody of the end while the rule is muted, and a message on its way ends with the alert", async () => {
    const db = await databases.open();
    const server = await watchedServer(db);
    const rule = await server.rule({ notify: told });
    await server.beat(noon, 5);
    await server.change(rule, { mutedUntil: noon + 3600 * second });
    await server.db.write(removeAlertRule, rule.id, server.account.id, noon + second);
    const { delivery } = await server.alert();
    expect(delivery.in_app).toMatchObject({ status: "sent", resolvedStatus: "skipped" });
    // Both outside messages still go: their rule is gone, and with it the mute.
    for (const _ of times(2)) {
      const dispatch = await claimDispatch(server.db, noon + 2 * second);
      expect(dispatch?.purpose).toBe("opened");
      if (dispatch) await server.db.write(settleDispatch, dispatch, { status: "sent" }, noon + 2 * second);
    }
    expect((await server.alert()).delivery.email.status).toBe("sent");
  });

  it("[OUR-ERL-05] leaves no alert in progress without its rule, whatever comes at the same time", async () => {
    const db = await databases.open();
    for (const round of times(10)) {
      const server = await watchedServer(db);
      const rule = await server.rule();
      const at = noon + round * second;
      await Promise.all([
        server.beat(at, 5),
        server.db.write(removeAlertRule, rule.id, server.account.id, at),
        server.change(rule, { name: "Other" }, at),
        server.sweep(at),
        server.beat(at + second, 5),
      ]);
      const open = await server.alerts({ status: "open" });
      expect([open.length, (await server.db.read(rulesOf, server.id)).length]).toEqual([0, 0]);
    }
  });

  it("[OUR-ERL-05] a rule that was deleted is made anew by the same request", async () => {
    const server = await watchedServer(await databases.open());
    const made = await server.send();
    if (made?.kind !== "created") throw new Error("No rule was made.");
    await server.db.write(removeAlertRule, made.value.id, server.account.id, noon);
    const again = await server.send();
    expect(again?.kind).toBe("created");
    expect(definition()).toMatchObject({ name: again?.kind === "created" ? again.value.name : "" });
  });

  it("[OUR-ERL-03] changes a rule on events in one step, as a new version, and not at all where nothing changes", async () => {
    const server = await watchedServer(await databases.open());
    const { db } = server;
    const rule = eventRule(server.id);
    await db.write(addEventRule, rule, 5);
    const foreign = await newAccount(server.db);
    expect(await db.read(eventRuleOfAccount, rule.id, foreign.id)).toBeNull();
    expect(await db.write(changeEventRule, rule.id, foreign.id, noon, (before) => before)).toBeNull();
    expect(
      await db.write(changeEventRule, rule.id, server.account.id, noon + second, (before) => before),
    ).toEqual(rule);
    const names = times(8).map((index) => `Rule ${index}`);
    await Promise.all(
      names.map((name) =>
        db.write(changeEventRule, rule.id, server.account.id, noon, (before) => ({
          ...before,
          name,
          sources: [...before.sources, name],
        })),
      ),
    );
    const after = await db.read(eventRuleOfAccount, rule.id, server.account.id);
    expect(after?.sources.toSorted()).toEqual(names);
    expect(after?.updatedAt).toBe(noon + names.length);
    await expect(
      db.write(changeEventRule, rule.id, server.account.id, noon, () => {
        throw new Error("refused");
      }),
    ).rejects.toThrow("refused");
    expect(await db.read(eventRuleOfAccount, rule.id, server.account.id)).toEqual(after);
  });

  it("[OUR-ERL-04] a rule on events that is gone raises nothing, and its alerts stay", async () => {
    const server = await watchedServer(await databases.open());
    const { db } = server;
    const rule = eventRule(server.id);
    await db.write(addEventRule, rule, 5);
    const ban = (localId: string) => ({
      ...traceOf(server.id).event,
      id: newId(),
      serverId: server.id,
      localId,
      type: "ban",
      category: "moderation" as const,
      source: "bans",
      severity: "warning" as const,
      title: "A ban",
      description: null,
      metadata: null,
      happenedAt: noon,
      durationMs: null,
      receivedAt: noon,
    });
    expect(ownTypes).not.toContain("ban");
    await db.write(recordEvents, server.id, [ban("1")], noon);
    expect(await db.write(removeEventRule, rule.id, (await newAccount(server.db)).id)).toBe(false);
    expect(await db.write(removeEventRule, rule.id, server.account.id)).toBe(true);
    expect(await db.write(removeEventRule, rule.id, server.account.id)).toBe(false);
    await db.write(recordEvents, server.id, [ban("2")], noon);
    expect((await server.alerts()).map(({ kind, ruleName }) => [kind, ruleName])).toEqual([
      ["event", "Bans"],
    ]);
    expect(await server.db.read(alertOfAccount, (await server.alert()).id, server.account.id)).not.toBeNull();
  });
});
