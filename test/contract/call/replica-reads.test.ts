import { afterAll, beforeAll, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import type { AppContext } from "../../../src/contract/call/app-context.ts";
import { listTokens } from "../../../src/actions/access/list-tokens.ts";
import { listAccountEvents } from "../../../src/endpoints/api/event/list-account-events.ts";
import { getMonitoringOverview } from "../../../src/endpoints/api/monitoring/get-monitoring-overview.ts";
import { listAvailability } from "../../../src/endpoints/api/monitoring/list-availability.ts";
import { apiEndpoints } from "../../../src/endpoints/api/registry.ts";
import type { DatabaseReader } from "../../../src/store/engine/database.ts";
import { tools } from "../../../tools/registry.ts";
import { parityInputs } from "../../gates/parity-inputs.ts";
import { asPerson } from "../../support/as-person.ts";
import { facesOf, type Faces } from "../../support/faces.ts";
import { memoryDatabase } from "../../support/memory-database.ts";
import type { Json } from "../../support/payload.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";

/** Series and lists; everything else is about the present, or about what a person decides. */
const late = [
  "events.list",
  "events.list_all",
  "memory_reports.list",
  "memory_reports.list_all",
  "metrics.compare",
  "metrics.get",
  "monitoring.availability",
  "profiles.list",
  "profiles.list_all",
  "software.list_all",
];

let test: TestApp;
let faces: Faces;
let app: AppContext;
let owner: Account;
let inputs: Record<string, Json>;
let secret: string;
let reader: DatabaseReader;
let reads = 0;
const changes: string[] = [];
/** A replica that has nothing yet. */
const empty = memoryDatabase();

beforeAll(async () => {
  test = testApp({ plans: roomy });
  const counted: DatabaseReader = {
    read: (work, ...values) => {
      reads += 1;
      return reader.read(work, ...values);
    },
  };
  app = {
    ...test.app,
    replica: { readerFor: () => counted, noteChange: (account) => void changes.push(account) },
  };
  faces = facesOf(app);
  owner = await test.account("enterprise");
  inputs = await parityInputs(test, owner, await test.server(owner, { name: "Lobby" }));
  ({ secret } = await test.token(owner));
});
afterAll(async () => {
  await faces.http.close();
  await test.close();
  await empty.close();
});

it("[OUR-STO-201] the series and lists, and nothing else, are read from the replica over REST, by tools and on pages", async () => {
  reader = test.app.db;
  const byRest = new Set<string>();
  for (const endpoint of apiEndpoints.filter(({ method }) => method === "GET")) {
    reads = 0;
    const { status, body } = await faces.rest(endpoint, inputs[endpoint.id] ?? {}, secret);
    expect(status, `${endpoint.id} ${JSON.stringify(body)}`).toBe(200);
    if (reads > 0) byRest.add(endpoint.id);
  }
  expect([...byRest].toSorted()).toEqual(late);
  const byTools = new Set<string>();
  for (const tool of tools) {
    const { id, method } = tool.view.endpoint;
    if (method !== "GET") continue;
    reads = 0;
    await faces.tool(tool, inputs[id] ?? {}, secret);
    if (reads > 0) byTools.add(id);
  }
  expect([...byTools].filter((id) => !late.includes(id))).toEqual([]);
  expect(byTools.size).toBeGreaterThan(5);
  const ask = await asPerson({ app }, owner);
  const onPages: [read: () => Promise<unknown>, isLate: boolean][] = [
    [() => ask(listAccountEvents, {}), true],
    [() => ask(listAvailability, {}), true],
    [() => ask(getMonitoringOverview, {}), false],
    [() => ask(listTokens, {}), false],
  ];
  for (const [read, isLate] of onPages) {
    reads = 0;
    await read();
    expect(reads > 0).toBe(isLate);
  }
});

it("[OUR-STO-206] who may see a server, and what it is called, is never asked of the replica", async () => {
  reader = empty;
  for (const endpoint of apiEndpoints.filter(({ id }) => late.includes(id))) {
    const { status, body } = await faces.rest(endpoint, inputs[endpoint.id] ?? {}, secret);
    expect(status, `${endpoint.id} ${JSON.stringify(body)}`).toBe(200);
  }
  const { body } = await faces.rest(listAvailability, {}, secret);
  expect(body["data"]).toMatchObject([{ name: "Lobby" }]);
});

it("[OUR-STO-207] what an account changes is noted, and what a read keeps is not", async () => {
  reader = test.app.db;
  changes.length = 0;
  const ask = async (id: string): Promise<number> => {
    const endpoint = apiEndpoints.find((each) => each.id === id);
    if (!endpoint) throw new Error(`There is no ${id}.`);
    const { status } = await faces.rest(endpoint, inputs[id] ?? {}, secret);
    return status;
  };
  expect(await ask("servers.health")).toBe(200);
  expect(await ask("servers.list")).toBe(200);
  expect(changes).toEqual([]);
  expect(await ask("server_groups.create")).toBe(201);
  expect(changes).toHaveLength(1);
});
