import { selectPresentedToken } from "../../../src/store/access/tokens.ts";
import { addReport } from "../../../src/services/report/add-report.ts";
import { selectReport } from "../../../src/store/report/reports.ts";
import { selectServer, selectMonitoredServer } from "../../../src/store/server/servers.ts";
import { changeServer } from "../../../src/services/server/change-server.ts";
import { recordHeartbeat } from "../../../src/services/metric/record-heartbeat.ts";
import { offerLinkCode } from "../../../src/services/server/offer-link-code.ts";
import { useLinkCode } from "../../../src/services/server/use-link-code.ts";
import { selectGroups } from "../../../src/store/server/groups.ts";
import { addGroup } from "../../../src/services/server/add-group.ts";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { noFacts } from "../../../src/core/server/link-code.ts";
import { all, one, type Database } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { eachDatabase } from "../../support/databases.ts";
import {
  linkCode,
  linkRequest,
  newAccount,
  newId,
  newReport,
  newServer,
  newToken,
  noon,
  sampleAt,
  viewer,
} from "./rows.ts";

const stored = query<{ id: string }>()((db, $) =>
  db.selectFrom("report").select("payload").where("id", "=", $.id),
);
const details = query<{ id: string }>()((db, $) =>
  db.selectFrom("sample").select("detail").where("server_id", "=", $.id),
);

const texts = [
  ["emoji of several code points", "👩🏽‍🚀🏳️‍🌈"],
  ["right-to-left text and overrides", "مرحبا \u202Eevil\u2066"],
  ["quotes, statements and placeholders", `'"\`;--$1 ?1 :x %s \\ DROP TABLE account; {{clustered}}`],
  ["four-byte characters", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𠮷 \u{10FFFF}"],
  ["combining marks that are not normalized", "e\u0301 é Å A\u030A"],
  ["white space at both ends", " \t two lines\n\u00A0"],
  ["invisible characters", "a\u200Bb\u00ADc\uFEFF"],
  ["text that looks like a number or null", "0x10"],
] as const;

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  describe.each(texts)("%s", (_, text) => {
    it("[OUR-STO-31] come back byte for byte from every field that holds text", async () => {
      const account = await newAccount(db);
      const code = linkCode({ facts: { ...noFacts, name: text, address: text } });
      await db.write(offerLinkCode, code);
      const linked = await db.write(useLinkCode, linkRequest(account, code.code));
      if (linked.kind !== "linked") throw new Error(linked.kind);
      const { server } = linked;
      expect([server.name, server.address]).toEqual([text, text]);
      await db.write(changeServer, server.id, { name: `${text}!` });
      expect((await db.read(selectServer, server.id, viewer(account)))?.name).toBe(`${text}!`);

      const { digest } = await newToken(db, account, { name: text });
      expect((await db.read(selectPresentedToken, digest, noon))?.token.name).toBe(text);

      const group = { id: newId(), accountId: account.id, name: text, color: null, now: noon, limit: 20 };
      await db.write(addGroup, group, {
        accountId: account.id,
        route: "groups",
        key: text,
        bodyDigest: "d",
        now: noon,
      });
      expect((await db.read(selectGroups, account.id))[0]?.name).toBe(text);

      const report = newReport(
        account,
        server,
        { description: text, localId: text },
        { hosting_tier: "L", server: { type: text.slice(0, 20) } },
      );
      await db.write(addReport, report);
      const found = await db.read(selectReport, report.id, viewer(account), noon);
      expect([found?.description, found?.content.server.type]).toEqual([text, report.content.server.type]);
      expect(await db.write(addReport, { ...report, id: newId() })).toMatchObject({
        created: false,
        id: report.id,
      });
    });

    it("[OUR-STO-31] come back from a sample as they were measured", async () => {
      const account = await newAccount(db);
      const { server } = await newServer(db, account);
      const sample = sampleAt(noon, { worlds_top: [{ name: text, players: 1 }] });
      const silent = {
        bootTimestamp: null,
        lastTickAgeMs: null,
        announcement: null,
        limits: defaultPlans.pro,
      };
      await db.write(recordHeartbeat, { serverId: server.id, receivedAt: noon, sample, ...silent });
      const world = { name: text, players: 1, entities: null, chunks: null };
      expect((await db.read(selectMonitoredServer, server.id, account.id))?.sample?.worlds_top).toEqual([
        world,
      ]);
      const [row] = await db.read(() => all(details, { id: server.id }));
      expect(JSON.parse(row?.detail ?? "null").worlds_top).toEqual([world]);
    });
  });

  it("[OUR-STO-30] JSON text keeps its keys' order, its escapes and its numbers as they were written", async () => {
    const account = await newAccount(db);
    const { server } = await newServer(db, account);
    const payload = '{ "z":1.0, "a":[1e3,-0], "\\u0000":"\\ud83d", "z":2, "é":"\\u00e9" }';
    const report = newReport(account, server, { payload });
    await db.write(addReport, report);
    expect((await db.read(() => one(stored, { id: report.id })))?.payload).toBe(payload);
  });

  it("[OUR-STO-31] a text of a million characters is kept whole", async () => {
    const account = await newAccount(db);
    const { server } = await newServer(db, account);
    const payload = JSON.stringify("𠮷é".repeat(400_000));
    const report = newReport(account, server, { payload });
    await db.write(addReport, report);
    expect((await db.read(() => one(stored, { id: report.id })))?.payload).toBe(payload);
  });
});
