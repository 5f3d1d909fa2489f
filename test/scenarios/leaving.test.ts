import { defaultSettings } from "../../src/core/notice/records.ts";
import { selectAccounts } from "../../src/store/access/accounts.ts";
import { changePlan } from "../../src/services/access/change-plan.ts";
import { replacePassword } from "../../src/services/access/replace-password.ts";
import { saveSettings } from "../../src/store/notice/notification-settings.ts";
import { removeAccount } from "../../src/services/access/remove-account.ts";
import { selectServiceLog } from "../../src/store/service-log/service-log.ts";
import { describe, expect, it } from "vitest";
import { hashPassword } from "../../src/app/access/passwords.ts";
import { deleteAccount } from "../../src/actions/access/delete-account.ts";
import { deleteServer } from "../../src/actions/server/delete-server.ts";
import { unlinkServer } from "../../src/actions/server/unlink-server.ts";
import { refusalOf } from "../support/as-person.ts";
import { eachDatabase, sharedKinds } from "../support/databases.ts";
import type { Json } from "../support/payload.ts";
import { startTestService } from "../support/service.ts";
import { dayMs, minuteMs } from "../support/clock.ts";
import { certify } from "../rest/rows.ts";
import { thingsOf } from "../support/owned-things.ts";
import { holding, leavingScene } from "./leaving-scene.ts";

eachDatabase((databases) => {
  const scene = leavingScene(databases);
  const { clock, person, api, link, beat, retention, installed } = scene;

  describe("a server that goes for good", () => {
    it("[OUR-LEA-08] is deleted with everything of it by the job once its time is over, and not before", async () => {
      const owner = await scene.service.account();
      const { server, credential, report, alert } = await thingsOf(scene.service, owner);
      await (
        await person(owner)
      )(unlinkServer, { server_id: server });
      clock.advance(30 * dayMs - minuteMs);
      await retention();
      expect(await holding(scene.url, [server])).not.toEqual([]);
      clock.advance(minuteMs);
      await retention();
      expect(await holding(scene.url, [server, alert])).toEqual([]);
      expect((await api(owner, "GET", `/reports/${report}`)).status).toBe(200);
      expect((await beat(credential)).json["error"]).toBe("token_revoked");
    });

    it("[OUR-LEA-10] [OUR-LEA-02] is deleted at once when its owner says so: no row names it, its reports stay", async () => {
      const owner = await scene.service.account();
      const { server, credential, report, unitTest, alert, rule, target, job, profile, memoryReport } =
        await thingsOf(scene.service, owner);
      expect(await holding(scene.url, [server])).toContain("sample.server_id");
      await (
        await person(owner)
      )(deleteServer, { server_id: server });
      expect(await holding(scene.url, [server, alert, target, profile, memoryReport])).toEqual([]);
      // What was made a moment ago and sent again is told apart by its id for a day.
      expect(await holding(scene.url, [rule])).toEqual(["write_replay.resource_id"]);
      expect(await holding(scene.url, [job])).toEqual([]);
      expect((await api(owner, "GET", `/reports/${report}`)).json["server_id"]).toBeNull();
      expect((await api(owner, "GET", `/unit-tests/${unitTest}`)).status).toBe(200);
      expect(await beat(credential)).toMatchObject({ status: 401, json: { error: "token_revoked" } });
      clock.advance(91 * dayMs);
      await retention();
      expect(await beat(credential)).toMatchObject({ status: 401, json: { error: "invalid_token" } });
    });

    it("[OUR-LEA-09] never comes back once another account linked its installation, and is still deleted in time", async () => {
      const [owner, other] = [await scene.service.account(), await scene.service.account()];
      const server = await installed(owner);
      await beat(server.credential);
      await (
        await person(owner)
      )(unlinkServer, { server_id: server.id });
      const taken = await link(other, (await server.again()).code);
      expect(taken.status).toBe(201);
      expect(taken.json["id"]).not.toBe(server.id);
      expect((await link(owner, (await server.again()).code)).status).toBe(404);
      await (
        await person(other)
      )(unlinkServer, { server_id: String(taken.json["id"]) });
      const third = await link(owner, (await server.again()).code);
      expect(third.status).toBe(201);
      expect([server.id, taken.json["id"]]).not.toContain(third.json["id"]);
      expect(await holding(scene.url, [server.id])).toContain("sample.server_id");
      clock.advance(30 * dayMs);
      await retention();
      expect(await holding(scene.url, [server.id, String(taken.json["id"])])).toEqual([]);
    });
  });

  describe("while a plugin sends", () => {
    it("[OUR-LEA-11] unlinking and deleting lose nothing and break nothing: stored whole, or refused", async () => {
      const owner = await scene.service.account();
      const ask = await person(owner);
      const answers = new Map<string, number>();
      for (const leave of [unlinkServer, deleteServer]) {
        const { id, credential } = await installed(owner);
        const sending = Array.from({ length: 60 }, async (_, index) => {
          const at = new Date(clock.now() - index * 1000).toISOString();
          const [path, body]: [string, Json] =
            index % 3 === 0
              ? ["heartbeat", { sent_at: at, plugin_version: "1", sample: { sampled_at: at, tps: 20 } }]
              : index % 3 === 1
                ? ["samples", { samples: [{ sampled_at: at, tps: 19 }] }]
                : [
                    "events",
                    {
                      events: [
                        {
                          local_id: `x${index}`,
                          type: "ban",
                          category: "moderation",
                          source: "Bans",
                          severity: "info",
                          title: "Out",
                          timestamp: at,
                        },
                      ],
                    },
                  ];
          const { status, json } = await scene.service.request("POST", `/plugin/v1/${path}`, {
            token: credential,
            body,
          });
          const key = status === 200 ? "200" : `${status} ${String(json["error"])}`;
          answers.set(key, (answers.get(key) ?? 0) + 1);
        });
        await ask(leave, { server_id: id });
        await Promise.all(sending);
        if (leave === deleteServer) expect(await holding(scene.url, [id])).toEqual([]);
      }
      expect(
        [...answers.keys()].filter((key) => !["200", "401 token_revoked", "429 rate_limited"].includes(key)),
      ).toEqual([]);
    });
  });

  describe("an account that is deleted", () => {
    it("[OUR-LEA-16] [OUR-ADM-16] leaves no row that names it or its servers; a certified report stays, without author", async () => {
      const owner = await scene.service.account();
      const password = "correct horse battery";
      await scene.service.app.db.write(replacePassword, owner.id, await hashPassword(password), null);
      const { server, group, report, unitTest, credential } = await thingsOf(scene.service, owner);
      const other = await installed(owner);
      const ask = await person(owner);
      await ask(unlinkServer, { server_id: other.id });
      const certified = await scene.service.report({
        id: server,
        credential,
        owner,
        code: "",
        claimSecret: "",
      });
      await certify(scene.service, certified.id);
      await scene.service.app.db.write(
        saveSettings,
        owner.id,
        {
          ...defaultSettings,
          noticesByEmail: true,
        },
        clock.now(),
      );
      const { db } = scene.service.app;
      const admin = { by: { who: "admin", accountId: owner.id }, now: clock.now() } as const;
      await db.write(changePlan, owner.id, "hosting", clock.now(), admin);
      await db.write(changePlan, owner.id, "pro", clock.now(), {
        by: { who: "command_line" },
        now: clock.now(),
      });
      const logged = await db.read(selectServiceLog, null, 2);
      const self = { id: owner.id, email: owner.email };
      expect(logged.map(({ about }) => about)).toEqual([self, self]);
      expect(logged[1]?.by).toEqual({ who: "admin", account: self });
      const named = await holding(scene.url, [owner.id]);
      console.log(`an account stands in ${named.length} columns before it is deleted`);
      expect(named.length).toBeGreaterThan(12);
      const token = await scene.service.token(owner);
      // Those that the suite had refused so far are more than anybody mistypes in a minute.
      clock.advance(2 * minuteMs);
      expect(await refusalOf(ask(deleteAccount, { password: "wrong" }))).toBe("unauthorized");
      await ask(deleteAccount, { password });
      expect(
        await holding(scene.url, [owner.id, server, other.id, group, owner.email, report, unitTest]),
      ).toEqual([]);
      const nameless = logged.map((entry) =>
        Object.assign(entry, { about: null, by: { ...entry.by, account: null } }),
      );
      expect(await db.read(selectServiceLog, null, 2)).toEqual(nameless);
      expect((await scene.service.request("GET", "/api/v1/token", { token })).json["error"]).toBe(
        "invalid_token",
      );
      expect(await refusalOf(ask(unlinkServer, { server_id: server }))).toBe("unauthorized");
      expect((await beat(credential)).json["error"]).toBe("token_revoked");
      const somebody = await scene.service.token(await scene.service.account("pro", "admin"));
      const left = await scene.service.request("GET", `/api/v1/reports/${certified.id}`, { token: somebody });
      expect(left).toMatchObject({ status: 200, json: { certified: true, server_id: null } });
    });

    it("[OUR-LEA-17] is not the last admin's: of two that go at once one stays", async () => {
      const own = await startTestService({ databaseUrl: await databases.url(), clock: clock.now });
      const admins = [await own.account("free", "admin"), await own.account("free", "admin")];
      const [first, second] = await Promise.all(
        admins.map((account) => removeAccount(own.app.db, account.id, clock.now())),
      );
      expect([first, second].filter((gone) => gone)).toHaveLength(1);
      const left = await own.app.db.read(selectAccounts);
      expect(left.map(({ role }) => role)).toEqual(["admin"]);
      expect(await removeAccount(own.app.db, left[0]?.id ?? "", clock.now())).toBe(false);
      await own.close();
    });
  });
}, sharedKinds);
