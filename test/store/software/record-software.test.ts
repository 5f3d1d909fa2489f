import { beforeAll, expect, it } from "vitest";
import { SoftwareInventory } from "../../../src/core/software/inventory.ts";
import { mostSoftwareEvents } from "../../../src/core/software/software-event.ts";
import { recordSoftware } from "../../../src/services/software/record-software.ts";
import { all, type Database } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { softwareOf } from "../../../src/store/software/server-software.ts";
import { eachDatabase } from "../../support/databases.ts";
import { minute, newAccount, newServer, noon, times } from "../engine/rows.ts";

const events = query<{ server: string }>()((db, $) =>
  db
    .selectFrom("server_event")
    .select(["type", "category", "source", "severity", "title", "metadata", "timeline_at"])
    .where("server_id", "=", $.server)
    .orderBy("id"),
);

type Sent = Parameters<typeof SoftwareInventory.parse>[0];
const paper = {
  server: { type: "paper", version: "1.21.1" },
  java: { version: "21.0.3", flags: ["-Xmx4G"] },
  plugins: [{ name: "Shop", version: "1.0" }],
  settings: { view_distance: 10 },
  files: [],
};

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  async function watched() {
    const { id } = (await newServer(db, await newAccount(db))).server;
    return {
      id,
      record: (sent: Sent, now = noon) => db.write(recordSoftware, id, SoftwareInventory.parse(sent), now),
      find: () => db.read(softwareOf, id),
      entries: async () => db.read(() => all(events, { server: id })),
    };
  }

  it("[OUR-SFW-04] the first inventory is kept and leaves no entry", async () => {
    const { id, record, find, entries } = await watched();
    expect(await find()).toBeNull();
    expect(await record(paper)).toEqual([]);
    const inventory = SoftwareInventory.parse(paper);
    const times = { receivedAt: noon, changedAt: noon, firstReceivedAt: noon };
    expect(await find()).toEqual({ serverId: id, inventory, changes: [], ...times });
    expect(await entries()).toEqual([]);
  });

  it("[OUR-SFW-11] [OUR-SFW-12] a difference is one entry, however often it is sent", async () => {
    const { record, find, entries } = await watched();
    await record(paper);
    const after = { ...paper, plugins: [{ name: "Shop", version: "1.1" }] };
    const [first, again] = [noon + minute, noon + 2 * minute];
    expect(await record(after, first)).toHaveLength(1);
    expect(await record(after, again)).toEqual([]);
    expect(await entries()).toEqual([
      {
        type: "plugin_updated",
        category: "custom",
        source: "tickmark",
        severity: "info",
        title: "Plugin or mod updated",
        metadata: JSON.stringify({ subject: "Shop", from: "1.0", to: "1.1" }),
        timeline_at: first,
      },
    ]);
    const times = { receivedAt: again, changedAt: first, firstReceivedAt: noon };
    expect(await find()).toMatchObject({ changes: [["installed", "Shop", first]], ...times });
  });

  it("[OUR-SFW-12] of inventories that come at once each difference is entered once", async () => {
    const { record, entries } = await watched();
    await record(paper);
    const after = { ...paper, plugins: [{ name: "Maps", version: "3" }] };
    await Promise.all(times(4).map(() => record(after, noon + minute)));
    expect((await entries()).map(({ type }) => type).sort()).toEqual(["plugin_added", "plugin_removed"]);
  });

  it("[OUR-SFW-10] what a later inventory does not know stays as it was known", async () => {
    const { record, find, entries } = await watched();
    await record(paper);
    await record({ plugins: paper.plugins }, noon + minute);
    expect((await find())?.inventory).toEqual(SoftwareInventory.parse(paper));
    await record({ server: { version: "1.21.4" }, files: [] }, noon + 2 * minute);
    expect((await find())?.inventory).toMatchObject({
      server: { type: "paper", version: "1.21.4" },
      settings: { view_distance: null },
    });
    expect((await entries()).map(({ type }) => type)).toEqual(["server_updated"]);
  });

  it("[OUR-SFW-11] an inventory leaves at most 100 entries, and counts the rest", async () => {
    const { record, entries } = await watched();
    const mods = (version: string, count: number) => times(count).map((at) => ({ name: `m${at}`, version }));
    await record({ mods: mods("1", 350) });
    await record({ mods: mods("2", 100) }, noon + minute);
    const found = await entries();
    expect(found).toHaveLength(mostSoftwareEvents);
    const rest = found.filter(({ type }) => type === "software_changed");
    expect(rest.map(({ metadata }) => metadata)).toEqual([JSON.stringify({ changes: 251 })]);
  });
});
