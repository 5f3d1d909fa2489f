import { afterAll, beforeAll, expect, it } from "vitest";
import { askedDemo, type AskedDemo } from "../questions/asked-demo.ts";
import type { Json } from "../support/payload.ts";
import { testEpoch } from "../support/test-app.ts";

let demo: AskedDemo;
beforeAll(async () => {
  // Its last day begins within the two hours of a block, so that one block has samples of two writers.
  demo = await askedDemo(testEpoch + 47 * 60_000);
});
afterAll(() => demo.close());

it("[OUR-DEM-26] a preview of the rule of an open alert says after ten minutes and after an hour that it fires", async () => {
  const server = demo.serverId("Foundry SMP");
  const [alert] = (await demo.rest("hosting", "/alert-events?status=open"))["data"] as Json[];
  expect(alert).toMatchObject({ server_id: server, kind: "threshold", status: "open" });
  const rules = (await demo.rest("hosting", `/servers/${server}/alert-rules`))["data"] as Json[];
  const rule = rules.find(({ id }) => id === alert?.["rule_id"]) ?? {};
  const query = ["metric", "condition", "threshold", "duration_minutes", "cooldown_minutes"]
    .map((field) => `${field}=${String(rule[field])}`)
    .join("&");
  for (const minutes of [10, 50]) {
    await demo.goOn("Foundry SMP", minutes);
    const preview = await demo.rest("hosting", `/servers/${server}/alert-rules/preview?${query}&days=7`);
    const [newest] = preview["episodes"] as Json[];
    expect(newest).toMatchObject({ resolved_at: null });
    const seen = preview["live_would_have_seen"] as Json;
    expect(Number(seen["episodes_total"])).toBe(Number(preview["episodes_total"]));
    // The demo raises its alert when it starts; on record the ticks were slow three hours before.
    expect(Date.parse(String(newest?.["opened_at"]))).toBeLessThan(demo.now - 170 * 60_000);
  }
});
