import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { SoftwareInventory } from "../../../src/core/software/inventory.ts";
import { sendSoftware } from "../../../src/endpoints/plugin/send-software.ts";
import { recordSoftware } from "../../../src/services/software/record-software.ts";
import { exportedTables } from "../../../src/store/transfer/tables.ts";
import { filledAccount } from "../../browser/filled-account.ts";
import { roomyPlans, startTestService, type Json } from "../../support/service.ts";
import { filled, slotsOf } from "../../support/slots.ts";
import type { Words } from "../../support/words.ts";
import { openRaw } from "../../store/engine/raw-database.ts";
import { publish, shownAt, textsOf } from "./publishing.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-status-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Words that stand nowhere else: each is a marker of its own. */
function markers(): Words {
  let serial = 0;
  const text = (max: number): string => `zq${(serial += 1).toString(36)}zq`.slice(0, max);
  return { text, name: text };
}

/** What a status page may show of a database, as the owner typed it. */
const chosen = { title: "zqtitlezq", name: "zqchosenzq", address: "zqaddresszq" };

const marker = /zq[a-z0-9]+zq/g;
/** Identifiers, fingerprints and mail addresses. */
const secret = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32,}|[\w.+-]+@[\w.-]+/g;

it("[OUR-STP-05] of everything in the database the page, its badge and its chart show the chosen names alone", async () => {
  const databaseUrl = `sqlite:${join(folder, "marked.db")}`;
  const service = await startTestService({ databaseUrl, plans: roomyPlans });
  const words = markers();
  const { owner, paths } = await filledAccount(service, words);
  const id = /^\/servers\/([0-9a-f-]{36})$/.exec(paths[0] ?? "")?.[1] ?? "";
  const inventory = slotsOf(SoftwareInventory, sendSoftware.example.input);
  // The second one differs from the first in every text: each difference is an entry of the timeline.
  for (const minute of [1, 2]) {
    const sent = SoftwareInventory.parse(filled(sendSoftware.example.input as Json, inventory, words.text));
    await service.app.db.write(recordSoftware, id, sent, service.app.clock() + minute);
  }
  const { title, name, address } = chosen;
  await publish(service, owner, [[id, name]], { title, address });
  const shown = await shownAt(service, chosen.address);
  expect([shown.page.status, shown.badge.status, shown.chart.status]).toEqual([200, 200, 200]);
  const texts = textsOf(shown);
  expect(new Set(texts.match(marker))).toEqual(new Set([chosen.title, chosen.name]));
  const raw = await openRaw(databaseUrl);
  const stored = new Set<string>();
  const places = new Set<string>();
  for (const table of exportedTables) {
    if (table === "status_page" || table === "status_page_server") continue;
    for (const row of await raw.rows(`SELECT * FROM ${table}`))
      for (const [column, value] of Object.entries(row))
        for (const found of String(value).match(/zq[a-z0-9]+zq/g) ?? []) {
          stored.add(found);
          places.add(`${table}.${column}`);
        }
    for (const row of await raw.rows(`SELECT * FROM ${table}`))
      for (const value of Object.values(row))
        for (const found of String(value).match(secret) ?? []) stored.add(found);
  }
  await raw.close();
  console.log(`${stored.size} private texts and ids in ${places.size} columns; shown: 0`);
  expect(stored.size).toBeGreaterThan(150);
  for (const place of [
    "server.name",
    "server.address",
    "server_event.title",
    "alert.rule_name",
    "report.private_notes",
  ])
    expect(places).toContain(place);
  expect([...stored].filter((text) => texts.includes(text))).toEqual([]);
  expect(service.defects).toEqual([]);
  await service.close();
});
