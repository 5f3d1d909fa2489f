import { expect, it } from "vitest";
import { newestMigration } from "../../src/store/migrations/registry.ts";
import { run } from "../../src/store/engine/database.ts";
import { query } from "../../src/store/engine/query.ts";
import { sql } from "kysely";
import { startTestService } from "../support/service.ts";
import { rawClient, requestText, answersIn } from "../support/raw-client.ts";

const rateHeadersIn = (headers: object): string[] =>
  Object.keys(headers).filter((name) => name.includes("ratelimit"));

const statement = (text: string) =>
  query<Record<string, never>>()((db) => ({ compile: () => sql.raw(text).compile(db) }));

it("[OUR-HTTP-33] livez and readyz answer, count nowhere, and tell no windows", async () => {
  const service = await startTestService();
  const remaining = async (): Promise<unknown> =>
    (await service.request("GET", "/api/v1/openapi.json")).headers["x-ratelimit-remaining"];
  const before = await remaining();
  for (const path of ["/livez", "/readyz"]) {
    const { status, json, headers } = await service.request("GET", path);
    expect([path, status, json]).toEqual([path, 200, { status: "ok" }]);
    expect(rateHeadersIn(headers)).toEqual([]);
    expect((await service.request("POST", path)).headers["allow"]).toBe("GET, HEAD");
  }
  expect(await remaining()).toBe(before);

  const forget = statement(`DELETE FROM schema_migration WHERE id = ${newestMigration()}`);
  await service.app.db.write(() => run(forget, {}));
  const migrating = await service.request("GET", "/readyz");
  expect([migrating.status, migrating.json["error"]]).toEqual([503, "unavailable"]);
  expect(migrating.json["message"]).toMatch(/^The service's database is being upgraded\. /);

  await service.service.database.close();
  const away = await service.request("GET", "/readyz");
  expect([away.status, away.json["error"]]).toEqual([503, "unavailable"]);
  expect(Number(away.headers["retry-after"])).toBeGreaterThan(0);
  expect(rateHeadersIn(away.headers)).toEqual([]);
  expect((await service.request("GET", "/livez")).status).toBe(200);
  await service.service.http.close();
});

it("[OUR-HTTP-33] readyz is 503 while the service stops", async () => {
  const service = await startTestService({ stopMs: 5000 });
  // A request whose body is still to come keeps its connection open; the probe is sent behind it.
  const body = "{}";
  const head = requestText("POST", "/plugin/v1/link-codes", { expect: "100-continue" }, "", body.length);
  const client = await rawClient(service.port, head);
  await client.received(/100 Continue/);
  const closed = service.close();
  client.socket.write(body + requestText("GET", "/readyz"));
  const text = (await client.closed).replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, "");
  const answers = answersIn(text);
  expect(answers.at(-1)).toMatchObject({ status: 503, headers: { connection: "close" } });
  expect(answers.at(-1)?.body).toContain("The service is stopping.");
  await closed;
});
