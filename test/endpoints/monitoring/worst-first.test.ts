import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type Sqlite from "better-sqlite3";
import { openSqliteConnection } from "../../../src/store/engine/sqlite-library.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { getMonitoringOverview } from "../../../src/endpoints/api/monitoring/get-monitoring-overview.ts";
import { openSqlite } from "../../../src/store/engine/sqlite.ts";
import { isLong } from "../../support/long.ts";
import { dice } from "../../support/dice.ts";
import { reportedStrings } from "../../support/hostile-names.ts";
import { facesOf, type Faces } from "../../support/faces.ts";
import { toolNamed } from "../../support/connector.ts";
import type { Json } from "../../support/payload.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";

const [fleets, size] = [isLong ? 1000 : 100, 40];
const minute = 60_000;

/** What a server of a fleet is in, and how bad that is: 0 is the worst. */
const situations = [
  { name: "unreachable", badness: 0 },
  { name: "unresponsive", badness: 0 },
  { name: "critical", badness: 1 },
  { name: "degraded", badness: 2 },
  { name: "unknown", badness: 3 },
  { name: "healthy", badness: 4 },
  { name: "stopped", badness: 5 },
  { name: "paused", badness: 5 },
] as const;

interface Drawn {
  readonly id: string;
  readonly name: string | null;
  readonly situation: (typeof situations)[number];
  readonly alerts: number;
  /** Null where nobody knows. */
  readonly since: number | null;
}

const folder = mkdtempSync(join(tmpdir(), "worst-first-"));
let test: TestApp;
let faces: Faces;
let raw: Sqlite.Database;
let secret: string;
let owner: Account;
let ids: string[];

beforeAll(async () => {
  const path = join(folder, "fleets.sqlite");
  test = testApp({
    plans: { ...roomy, pro: { ...roomy.pro, monitored_servers: 1000 } },
    database: openSqlite(path),
  });
  faces = facesOf(test.app);
  owner = await test.account("pro");
  ({ secret } = await test.token(owner));
  ids = [];
  for (let place = 0; place < size; place += 1) ids.push((await test.server(owner)).id);
  raw = openSqliteConnection(path);
});
afterAll(async () => {
  raw.close();
  await faces.http.close();
  await test.close();
  rmSync(folder, { recursive: true });
});

/** Most fleets have many servers that are as bad as others in one respect or more. */
function drawnFleet(seed: number): Drawn[] {
  const random = dice(seed);
  const oneOf = <T>(list: readonly [T, ...T[]] | readonly T[]): T =>
    list[Math.floor(random() * list.length)] as T;
  const known = situations.slice(Math.floor(random() * random() * situations.length));
  const sinces = Array.from({ length: 1 + Math.floor(random() * 6) }, (_, index) => index + 2);
  return ids.map((id) => {
    const situation = oneOf(known);
    const isStored = situation.badness > 0 && situation.badness < 5;
    const name = oneOf([null, oneOf(reportedStrings), `Server ${Math.floor(random() * 1e6)}`, "zzz"]);
    const since = isStored && random() < 0.1 ? null : test.clock.now - oneOf(sinces) * minute;
    return { id, name, situation, alerts: random() < 0.6 ? 0 : Math.floor(random() * 4), since };
  });
}

/** Writes a fleet past the service: what it would store of heartbeats, evaluations and alerts. */
function write(fleet: readonly Drawn[]): void {
  const { now } = test.clock;
  const setServer = raw.prepare(
    `UPDATE server SET name = ?, monitoring_enabled = 1, last_heartbeat = ?, last_tick_age_ms = ?, announcement = ?,
      announced_at = ? WHERE id = ?`,
  );
  const addHealth = raw.prepare(
    `INSERT INTO server_health VALUES (?, ?, ?, '["tick_spikes"]', ?, ?, ?, ?, '{}', NULL)`,
  );
  const addAlert = raw.prepare(
    `INSERT INTO alert (id, account_id, server_id, kind, status, rule_id, rule_name, metric, server_state, opened_at,
      in_maintenance, flapping, notified, delivery) VALUES (?, ?, ?, 'threshold', ?, 'r', ?, 'tps', 'running', ?, 0, 0, 1, '{}')`,
  );
  const headline = JSON.stringify({ code: "tick_spikes", text: "" });
  raw.transaction(() => {
    raw.exec("DELETE FROM server_health; DELETE FROM alert");
    for (const { id, name, situation, alerts, since } of fleet) {
      const what = situation.name;
      const isAnnounced = what === "stopped" || what === "paused";
      const isHung = what === "unresponsive";
      const heartbeat = what === "unreachable" || isAnnounced ? since : now - 1000;
      const tickAge = isHung ? now - 1000 - (since ?? 0) : 40;
      setServer.run(name, heartbeat, tickAge, isAnnounced ? what : null, isAnnounced ? since : null, id);
      // What was stored before its state changed says nothing any more.
      const verdict = ["critical", "degraded", "unknown", "healthy"].includes(what) ? what : "healthy";
      addHealth.run(id, verdict, since, headline, now, now, verdict);
      for (let place = 0; place < alerts; place += 1)
        addAlert.run(
          `${id}-${place}`,
          owner.id,
          id,
          place % 2 ? "acknowledged" : "open",
          name ?? "Rule",
          now,
        );
    }
  })();
}

/** Those of `all` for which nothing of `all` is better by this measure. */
const leastOf = (all: readonly Drawn[], measure: (one: Drawn) => number): Drawn[] => {
  const least = Math.min(...all.map(measure));
  return all.filter((one) => measure(one) === least);
};

/** The worst server by what OUR-OVR-01 promises, worked out by leaving out who is less bad, one respect after another. */
function worstOf(fleet: readonly Drawn[]): string {
  const bad = leastOf(fleet, ({ situation }) => situation.badness);
  const alerting = leastOf(bad, ({ alerts }) => -alerts);
  const longest = leastOf(alerting, ({ since }) => since ?? Infinity);
  const named = longest.filter(({ name }) => name !== null);
  const candidates = named.length > 0 ? named : longest;
  let [worst] = candidates;
  for (const each of candidates) {
    const isBefore =
      (each.name ?? "") < (worst?.name ?? "") || (each.name === worst?.name && each.id < worst.id);
    if (isBefore) worst = each;
  }
  return worst?.id ?? "";
}

it(`[OUR-OVR-01] [OUR-OVR-05] the first row is the worst server in ${fleets} random fleets of ${size}, on REST and in the connector`, async () => {
  const tool = toolNamed("get_monitoring_overview");
  const [first, cut] = [new Map<string, number>(), new Set<number>()];
  for (let seed = 1; seed <= fleets; seed += 1) {
    const fleet = drawnFleet(seed);
    write(fleet);
    const worst = worstOf(fleet);
    const { status, body } = await faces.rest(getMonitoringOverview, {}, secret);
    const rows = body["data"] as Json[];
    expect([seed, status, rows.length, rows[0]?.["server_id"]]).toEqual([seed, 200, size, worst]);
    const { isError, structured } = await faces.tool(tool, {}, secret);
    const shown = structured?.["data"] as Json[];
    expect([seed, isError, shown[0]?.["server_id"]]).toEqual([seed, false, worst]);
    expect(shown.length).toBeLessThan(size);
    cut.add(shown.length);
    const { name } = fleet.find(({ id }) => id === worst)?.situation ?? { name: "" };
    first.set(name, (first.get(name) ?? 0) + 1);
  }
  console.log(`Worst were ${JSON.stringify([...first])}; a result had ${[...cut].join(", ")} rows.`);
  expect(first.size).toBe(situations.length);
});
