import { selectJobs } from "../../src/store/auto-bench/jobs.ts";
import { claimNextJob } from "../../src/services/auto-bench/claim-job.ts";
import { noMaintenance } from "../../src/core/maintenance/server-maintenance.ts";
import { maintenanceOf } from "../../src/store/maintenance/maintenance.ts";
import { selectInbox } from "../../src/store/notice/notices.ts";
import { useLinkCode } from "../../src/services/server/use-link-code.ts";
import { describe, expect, it } from "vitest";
import { relinkServer } from "../../src/actions/server/relink-server.ts";
import { unlinkServer } from "../../src/actions/server/unlink-server.ts";
import { refusalOf } from "../support/as-person.ts";
import { eachDatabase, sharedKinds } from "../support/databases.ts";
import { dayMs } from "../support/clock.ts";
import { thingsOf } from "../support/owned-things.ts";
import { openRaw } from "../store/engine/raw-database.ts";
import { leavingScene } from "./leaving-scene.ts";

eachDatabase((databases) => {
  const scene = leavingScene(databases);
  const { clock, person, api, link, claim, beat, installed, told } = scene;

  describe("a server that comes back", () => {
    it("[OUR-LEA-06] [SRV-16] is the same one, and its data answers as before", async () => {
      const owner = await scene.service.account();
      const server = await installed(owner);
      for (let index = 0; index < 5; index += 1) {
        await beat(server.credential, { tps: 20 - index });
        clock.advance(30_000);
      }
      await scene.service.request("POST", "/plugin/v1/events", {
        token: server.credential,
        body: {
          events: [
            {
              local_id: "e1",
              type: "ban",
              category: "moderation",
              source: "Bans",
              severity: "info",
              title: "Out",
              timestamp: new Date(clock.now()).toISOString(),
            },
          ],
        },
      });
      await api(owner, "POST", `/servers/${server.id}/alert-rules`, {
        name: "Low",
        metric: "tps",
        condition: "below",
        threshold: 5,
        duration_minutes: 5,
      });
      const report = await scene.service.report({ ...server, owner, code: "", claimSecret: "" });
      const group = await api(owner, "POST", "/server-groups", { name: "Survival" });
      await api(owner, "PUT", `/servers/${server.id}/group`, { group_id: group.json["id"] });
      const before = [await told(owner, server.id), (await api(owner, "GET", `/servers?owner=me`)).json];
      const ask = await person(owner);
      await ask(unlinkServer, { server_id: server.id });
      expect((await api(owner, "GET", `/servers/${server.id}/status`)).status).toBe(404);
      const { code, claimSecret } = await server.again();
      const back = await link(owner, code);
      expect([back.status, back.json["id"]]).toEqual([201, server.id]);
      expect([await told(owner, server.id), (await api(owner, "GET", `/servers?owner=me`)).json]).toEqual(
        before,
      );
      expect((await api(owner, "GET", `/reports/${report.id}`)).json["server_id"]).toBe(server.id);
      const credential = await claim(claimSecret);
      expect((await beat(credential)).json["accepted"]).toBe(true);
      expect((await beat(server.credential)).json["error"]).toBe("token_revoked");
    });

    it("[OUR-LEA-07] is monitored again only while the plan has room for it", async () => {
      const owner = await scene.service.account("hosting");
      const narrow = { ...scene.service.app.plans.hosting, monitored_servers: 1 };
      const server = await installed(owner);
      await (
        await person(owner)
      )(unlinkServer, { server_id: server.id });
      await installed(owner);
      const { code } = await server.again();
      const result = await scene.service.app.db.write(useLinkCode, {
        code,
        accountId: owner.id,
        name: null,
        newServerId: scene.service.app.secrets.newId(clock.now()),
        now: clock.now(),
        maxServers: 500,
        monitoredServers: narrow.monitored_servers,
      });
      expect(result).toMatchObject({ kind: "linked", server: { id: server.id, monitoringEnabled: false } });
    });

    it("[OUR-LEA-06] does so up to the last moment of the 30 days; from then on a new one is made", async () => {
      const owner = await scene.service.account();
      const [kept, gone] = [await installed(owner), await installed(owner)];
      const ask = await person(owner);
      await ask(unlinkServer, { server_id: kept.id });
      await ask(unlinkServer, { server_id: gone.id });
      clock.advance(30 * dayMs - 1);
      expect((await link(owner, (await kept.again()).code)).json["id"]).toBe(kept.id);
      clock.advance(1);
      const fresh = await link(owner, (await gone.again()).code);
      expect(fresh.status).toBe(201);
      expect(fresh.json["id"]).not.toBe(gone.id);
    });

    it("[OUR-LEA-04] ends its runs and maintenance when it goes, and its schedule goes on when it is back", async () => {
      const owner = await scene.service.account();
      const { server, target, job } = await thingsOf(scene.service, owner);
      await api(owner, "POST", `/servers/${server}/maintenance`, { duration_minutes: 60 });
      const { db } = scene.service.app;
      await (
        await person(owner)
      )(unlinkServer, { server_id: server });
      expect(await db.read(maintenanceOf, server)).toEqual(noMaintenance);
      const anyJob = { status: null, targetId: null };
      expect(await db.read(selectJobs, owner.id, anyJob, null, 10, clock.now())).toEqual([]);
      expect(await claimNextJob(db, { runnerId: "r", agentId: "a", nonce: "n" }, clock.now())).toBeNull();
      const raw = await openRaw(scene.url);
      const [row] = await raw.rows(`SELECT status FROM auto_bench_job WHERE id = '${job}'`);
      const [left] = await raw.rows(
        `SELECT count(*) AS n FROM auto_bench_target WHERE id = '${target}' AND next_run_at IS NOT NULL`,
      );
      await raw.close();
      expect([row?.["status"], Number(left?.["n"])]).toEqual(["cancelled", 0]);
    });
  });

  describe("a relink", () => {
    it("[OUR-LEA-12] [OUR-LEA-14] gives one's own server a new credential: same id, same data, the old one revoked at once", async () => {
      const owner = await scene.service.account();
      const server = await installed(owner);
      await beat(server.credential);
      const other = await installed(owner);
      const before = await told(owner, server.id);
      const ask = await person(owner);
      const { code, claimSecret } = await server.again();
      expect(await refusalOf(ask(relinkServer, { code, server_id: other.id }))).toBe("invalid_state");
      expect(await ask(relinkServer, { code, server_id: server.id })).toMatchObject({ id: server.id });
      expect((await beat(server.credential)).json["error"]).toBe("token_revoked");
      expect(await ask(relinkServer, { code, server_id: server.id })).toMatchObject({ id: server.id });
      expect((await beat(await claim(claimSecret))).json["accepted"]).toBe(true);
      expect((await told(owner, server.id)).slice(1)).toEqual(before.slice(1));
    });

    it("[OUR-LEA-13] takes an installation from another account: unlinked there, told there, a new server here", async () => {
      const [owner, taker] = [await scene.service.account(), await scene.service.account()];
      const { id, credential, again } = await installed(owner);
      await beat(credential);
      const ask = await person(taker);
      const made = await ask(relinkServer, { code: (await again()).code, name: "Mine" });
      expect(made.id).not.toBe(id);
      expect(made).toMatchObject({ name: "Mine", owned_by_you: true });
      expect((await api(owner, "GET", `/servers/${id}/status`)).status).toBe(404);
      expect((await api(taker, "GET", `/servers/${made.id}/metrics`)).json["summary"]).toMatchObject({
        tps: { count: 0 },
      });
      const [notice] = await scene.service.app.db.read(selectInbox, owner.id, null, 10);
      expect(notice).toMatchObject({
        kind: "server_taken",
        message: { title: expect.stringContaining("Lobby was linked to another account") },
      });
      expect((await beat(credential)).json["error"]).toBe("token_revoked");
    });

    it("[OUR-LEA-15] [NEV-04] [SRV-18] is never done by the API: 409 for one's own, 404 for another's, nothing changes", async () => {
      const [owner, other] = [await scene.service.account(), await scene.service.account()];
      const server = await installed(owner);
      const { code } = await server.again();
      expect(await link(owner, code)).toMatchObject({
        status: 409,
        json: { error: "already_linked", server_id: server.id },
      });
      expect((await link(other, code)).status).toBe(404);
      expect((await beat(server.credential)).json["accepted"]).toBe(true);
    });

    it("[OUR-LEA-14] of codes that are guessed ends after sixty in an hour", async () => {
      const ask = await person(await scene.service.account());
      const refusals = new Map<string, number>();
      for (let index = 0; index < 62; index += 1) {
        const code = await refusalOf(ask(relinkServer, { code: "ZZZZZZZZ" }));
        refusals.set(code, (refusals.get(code) ?? 0) + 1);
      }
      expect(Object.fromEntries(refusals)).toEqual({ not_found: 60, rate_limited: 2 });
    });
  });
}, sharedKinds);
