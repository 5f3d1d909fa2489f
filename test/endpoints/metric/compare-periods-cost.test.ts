import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openRaw } from "../../store/engine/raw-database.ts";
import { dayMs, handClock } from "../../support/clock.ts";
import type { Json } from "../../support/payload.ts";
import { roomyPlans, startTestService } from "../../support/service.ts";

it("[OUR-CPR-12] two periods of more than 300,000 stored points together are refused, and shorter ones compared", async () => {
  const clock = handClock(Date.parse("2026-11-20T00:00:00.000Z"));
  const folder = mkdtempSync(join(tmpdir(), "tickmark-periods-"));
  const databaseUrl = `sqlite:${join(folder, "many.db")}`;
  const busy = await startTestService({ plans: roomyPlans, clock: clock.now, databaseUrl });
  const account = await busy.account("pro");
  const { id } = await busy.server(account);
  const secret = await busy.token(account);
  const raw = await openRaw(databaseUrl);
  // 150,001 in each of the last two days.
  await raw.run(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 300001)
     INSERT INTO sample (server_id, sampled_at, received_at, tps)
     SELECT '${id}', ${clock.now() - 2 * dayMs} + i * 575, 0, 20 FROM n`,
  );
  await raw.close();
  const asked = (query: string) =>
    busy.request("GET", `/api/v1/servers/${id}/metrics/compare${query}`, { token: secret });
  const refused = await asked("?fields=tps");
  expect([refused.status, refused.json["error"], refused.json["field"]]).toEqual([
    400,
    "validation_error",
    "target_from",
  ]);
  expect(refused.json["message"]).toContain("shorter");
  const shorter = await asked("?fields=tps&target_from=-20h");
  expect(shorter.status).toBe(200);
  expect(Number((shorter.json["target"] as Json)["points"])).toBeGreaterThan(120_000);
  expect(busy.defects).toEqual([]);
  await busy.close();
  rmSync(folder, { recursive: true });
});
