import { afterAll, beforeAll, expect, it } from "vitest";
import type { Endpoint } from "../../src/contract/endpoint/endpoint.ts";
import { apiEndpoints } from "../../src/endpoints/api/registry.ts";
import type { Step } from "../../src/store/engine/database.ts";
import { unrehearsed } from "../support/rehearsal.ts";
import { noteAll } from "../store/access/planning.ts";
import { openRaw } from "../store/engine/raw-database.ts";
import { eachDatabase, sharedKinds } from "../support/databases.ts";
import { facesOf, type Faces } from "../support/faces.ts";
import { isLong } from "../support/long.ts";
import type { Json } from "../support/payload.ts";
import { roomy, testApp, type TestApp } from "../support/test-app.ts";
import { fill, type Size } from "./filled-database.ts";
import { parityInputs } from "./parity-inputs.ts";
import { exceptions } from "./plan-exceptions.ts";
import { countersOf } from "./visited-rows.ts";

// A list that an index finds takes as long in an account of years as in a new one. What a database makes of a statement
// shows only where there is much: with few rows it reads them all, rightly.

/** The million entries of the long run take minutes; the shape of the data is the same. */
const size: Size = isLong
  ? { large: 4000, small: 3000, loud: 100, entriesOfLoud: 8000, reports: 100_000, others: 20_000 }
  : { large: 200, small: 60, loud: 8, entriesOfLoud: 1000, reports: 2500, others: 800 };

/** The longest page that is asked for here. */
const page = 50;

/** What is asked beside the inputs that work for each endpoint, by its id. */
const filters: Readonly<Record<string, readonly Json[]>> = {
  "events.list": [
    ...["server_stop", "lag_spike", "server_crash", "ban"].map((type) => ({ type })),
    ...["info", "warning", "error"].map((severity) => ({ severity })),
    ...["lifecycle", "custom", "moderation", "security"].map((category) => ({ category })),
    ...["LiteBans", "agent", "none"].map((source) => ({ source })),
    { type: "lag_spike", from: "-2h" },
    { from: "-20h", to: "-19h" },
  ],
  "reports.list": [
    { mine: true },
    { visibility: "private" },
    { visibility: "unlisted" },
    { visibility: "public" },
    { server_type: "paper" },
    { server_type: "none" },
    { benchmark_mode: "quick" },
    { server_type: "none", benchmark_mode: "quick", visibility: "private" },
    { mine: true, benchmark_mode: "quick" },
    { mine: true, visibility: "private" },
    { mine: true, visibility: "unlisted", server_type: "none" },
  ],
  "alerts.list": [{ status: "open" }, { status: "resolved" }, { rule_name: "None" }, { notified: true }],
};

interface Asked {
  readonly call: string;
  readonly step: Step;
}

eachDatabase((databases, kind) => {
  const asked = new Map<string, Asked>();
  let url: string;
  let test: TestApp;
  let faces: Faces;

  beforeAll(async () => {
    url = await databases.url();
    test = testApp({ plans: roomy, database: unrehearsed(await databases.open(url)) });
    faces = facesOf(test.app);
    const owner = await test.account("enterprise");
    const small = await test.account("pro");
    const server = await test.server(owner, { name: "Lobby" });
    const inputs = await parityInputs(test, owner, server);
    await test.flushActivity();
    const { secret } = await test.token(owner);
    const raw = await openRaw(url);
    if (raw.dialect === "postgres")
      for (const { name } of await raw.rows(
        "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()",
      ))
        await raw.run(`ALTER TABLE "${String(name)}" SET (autovacuum_enabled = off)`);
    await fill(raw, size, { large: owner.id, small: small.id, server: server.id, now: test.app.clock() });
    const [loud] = await raw.rows(
      "SELECT server_id AS id FROM server_event WHERE type = 'lag_spike' ORDER BY server_id LIMIT 1",
    );
    await raw.close();
    const steps: Step[] = [];
    noteAll(test.app.db, steps);
    const ask = async (endpoint: Endpoint, input: Json): Promise<void> => {
      steps.length = 0;
      const { status, body } = await faces.rest(endpoint, input, secret);
      expect(status, `${endpoint.id} ${JSON.stringify(body)}`).toBeLessThan(500);
      await test.settled();
      for (const step of steps) {
        const key = JSON.stringify([step.query.name, step.values]);
        if (!asked.has(key)) asked.set(key, { call: `${endpoint.id} ${JSON.stringify(input)}`, step });
      }
    };
    for (const endpoint of apiEndpoints) {
      const { server_id, ...input } = inputs[endpoint.id] ?? {};
      const ofServer = server_id === undefined ? {} : { server_id: String(loud?.["id"]) };
      await ask(endpoint, inputs[endpoint.id] ?? {});
      if (endpoint.method !== "GET") continue;
      await ask(endpoint, { ...input, ...ofServer });
      if (!endpoint.fields.has("limit")) continue;
      const all = [{}, ...Object.keys(input).map((name) => ({ [name]: input[name] }))];
      const lists = endpoint.id === "events.list_all" ? filters["events.list"] : filters[endpoint.id];
      for (const filter of [...all, ...(lists ?? [])])
        for (const narrowed of endpoint.fields.has("server_id")
          ? [{}, { server_id: String(loud?.["id"]) }]
          : [{}])
          await ask(endpoint, { ...ofServer, ...narrowed, ...filter, limit: page });
    }
  });

  afterAll(async () => {
    await faces.http.close();
    await test.close();
  });

  const tooMuch = async (): Promise<{ found: string[]; counted: number; excepted: Set<string> }> => {
    const found: string[] = [];
    const excepted = new Set<string>();
    let counted = 0;
    for (const [how, counter] of Object.entries(await countersOf(url))) {
      for (const { call, step } of asked.values()) {
        const visit = await counter.visit(step);
        if (visit === null) continue;
        counted += 1;
        if (visit.visited <= 4 * visit.answered + page) continue;
        const { sql } = step.query.statements.sqlite;
        const exception = exceptions.find((each) => each.statement.test(sql));
        if (exception && visit.visited <= exception.atMost({ ...size, page, answered: visit.answered })) {
          excepted.add(exception.why);
          continue;
        }
        found.push(
          `${call}, ${how}: ${visit.visited} rows read, ${visit.answered} answered\n${sql}\n${visit.plan}`,
        );
      }
      await counter.close();
    }
    return { found, counted, excepted };
  };

  const judged = async (): Promise<void> => {
    const { found, counted, excepted } = await tooMuch();
    console.log(`${counted} statements counted; read more, for a reason: ${[...excepted].join("; ")}`);
    expect(counted).toBeGreaterThan(300);
    expect(found).toEqual([]);
  };

  // PostgreSQL looks at new tables within a minute, and an import does so itself; the service cannot tell it to plan well before.
  it.skipIf(kind === "PostgreSQL")(
    "[OUR-STO-85] no statement of a call reads more than four times what it answers and a page, without statistics",
    judged,
  );

  it("[OUR-STO-85] no statement of a call reads more than four times what it answers and a page, with statistics", async () => {
    const raw = await openRaw(url);
    await raw.run("ANALYZE");
    await raw.close();
    await judged();
  });
}, sharedKinds);
