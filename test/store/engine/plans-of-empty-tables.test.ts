import { expect, it } from "vitest";
import { presentSince } from "../../../src/services/health/read-together.ts";
import { rulesOfServers } from "../../../src/store/alert/alert-rules.ts";
import { all } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { baselinesOfServers } from "../../../src/store/health/baselines.ts";
import { selectPresentFacts } from "../../../src/store/health/present-facts.ts";
import { storedHealthOfServers } from "../../../src/store/health/server-health.ts";
import { maintenanceOfServers } from "../../../src/store/maintenance/maintenance.ts";
import { monitoredServers } from "../../../src/store/server/server-rows.ts";
import { eachDatabase } from "../../support/databases.ts";
import { noting, planOf } from "../access/planning.ts";

const ofNoIndex = query<{ name: string }>()((db, $) =>
  db.selectFrom("server").select("id").where("name", "=", $.name),
);

eachDatabase((databases, kind) => {
  it("[OUR-STO-87] lists of servers are looked up by an index, also where the tables are still empty", async () => {
    const { db, steps } = noting(await databases.open());
    const ids = ["0190a000-0000-7000-8000-000000000000"];
    await db.read(selectPresentFacts, ids, presentSince(Date.now()));
    await db.read(storedHealthOfServers, ids);
    await db.read(baselinesOfServers, ids);
    await db.read(monitoredServers, ids);
    await db.read(maintenanceOfServers, ids);
    await db.read(rulesOfServers, ids);
    expect(steps.length).toBeGreaterThanOrEqual(6);
    for (const step of steps) {
      const plan = await planOf(db, step);
      expect(plan).toMatch(/Index|USING (?:COVERING )?INDEX/iu);
      expect(plan).not.toMatch(/Seq Scan|Hash Join|Merge Join|SCAN (?!json_each)/u);
    }
  });

  it("a statement for which there is no index is answered all the same", async () => {
    const db = await databases.open();
    expect(await db.read(() => all(ofNoIndex, { name: kind }))).toEqual([]);
  });
});
