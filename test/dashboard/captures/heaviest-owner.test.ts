import { afterAll, beforeAll, expect, it } from "vitest";
import { readHtml } from "../../support/html.ts";
import type { Json } from "../../support/payload.ts";
import { startTestService, type LinkedServer, type TestService } from "../../support/service.ts";
import { sparkFile } from "../../support/spark-file.ts";
import { endField, windowFields } from "../../support/spark-windows.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";

let service: TestService;
let server: LinkedServer;
let token: string;
let visitor: Visitor;
beforeAll(async () => {
  service = await startTestService();
  const owner = await service.account("pro");
  server = await service.server(owner, { name: "Lobby" });
  token = await service.token(owner);
  visitor = await signedIn(service, owner);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const page = (path: string): string => `/servers/${server.id}${path}`;
const textOf = async (path: string): Promise<string> => {
  const answer = await visitor.get(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return readHtml(answer.text).text.replaceAll(/\s+/g, " ");
};

it("[OUR-PRO-66] [OUR-PRO-68] pages of profiles lead with who is on most stacks, and show what spark measured", async () => {
  const startMs = Date.now() - 3_600_000;
  const window = { startMs, endMs: startMs + 60_000, tps: 7.5, medianMs: 113, players: 7, entities: 2000 };
  const plugins = Array.from({ length: 31 }, (_, index) => ({ method: `net.p${index}.A.run`, ms: 400 }));
  const file = sparkFile({
    startMs,
    threads: [{ calls: [{ method: "net.wrapper.Wrapper.call", ms: 31 * 400, calls: plugins }] }],
    classSources: Object.fromEntries([
      ["net.wrapper.Wrapper", "Wrapper"],
      ...plugins.map((_, index) => [`net.p${index}.A`, `P${index}`]),
    ]) as Record<string, string>,
    more: windowFields([window]),
    metadata: [endField({ worlds: { the_end: 44 } })],
  });
  const stored = await service.request("POST", "/plugin/v1/profiles", {
    token: server.credential,
    body: Buffer.from(file),
    headers: { "content-type": "application/x-spark-sampler" },
  });
  const text = await textOf(page(`/profiles/${String(stored.json["profile_id"])}`));
  const rows = text.slice(text.indexOf("Owners by the share of the stacks"));
  expect(rows).toMatch(/^[^%]*Wrapper plugin ?100\.00 % ?0\.00 % ?not listed/);
  for (const part of ["Measured meanwhile", "7.5", "113 ms", "the_end"]) expect(text).toContain(part);
  expect(await textOf(page("/profiles"))).toMatch(/Wrapper ?100\.00 % of the stacks, 0\.00 % of its own/);
  const { json } = await service.request("GET", `/api/v1/monitoring/profiles?server_id=${server.id}`, {
    token,
  });
  const [row] = json["data"] as Json[];
  expect(row?.["top_plugin"]).not.toMatchObject({ owner: "Wrapper" });
  expect(row?.["owners_by_total"]).toMatchObject([{ owner: "Wrapper", total_pct: 100 }]);
});
