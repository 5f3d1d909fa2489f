import { expect, it } from "vitest";
import { fillBlocks } from "../../store/metric/fill-blocks.ts";
import { dayMs, handClock } from "../../support/clock.ts";
import type { Json } from "../../support/payload.ts";
import { roomyPlans, startTestService } from "../../support/service.ts";

it("[OUR-CPR-12] two periods of more than 1,100,000 stored points together are refused, and shorter ones compared", async () => {
  const clock = handClock(Date.parse("2026-11-20T00:00:00.000Z"));
  const busy = await startTestService({ plans: roomyPlans, clock: clock.now });
  const account = await busy.account("pro");
  const { id } = await busy.server(account);
  const secret = await busy.token(account);
  // 550,001 in each of the last two days.
  for (const days of [1, 2]) await fillBlocks(busy.app.db, id, clock.now() - days * dayMs, 550_001, 157);
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
  expect(Number((shorter.json["target"] as Json)["points"])).toBeGreaterThan(440_000);
  expect(busy.defects).toEqual([]);
  await busy.close();
});
