import { expect } from "vitest";
import { caller, rowsOf, type Line, type Plan } from "./child.ts";

export type Row = Record<string, unknown>;

export const idOf = (line: Line, server: string): string => {
  const found = line.servers.find(({ name }) => name === server);
  if (!found) throw new Error(`The demo has no ${server}.`);
  return found.id;
};

/** Reads with the token of an account, which has to succeed. */
export const get = async (line: Line, plan: Plan, path: string): Promise<Row> => {
  const { status, body } = await caller(line, plan)("GET", path);
  expect({ path, status, error: body["error"] }).toEqual({ path, status: 200, error: undefined });
  return body;
};

export const rows = async (line: Line, plan: Plan, path: string): Promise<Row[]> =>
  rowsOf({ status: 200, body: await get(line, plan, path) });

export const minutesSince = (timestamp: unknown): number =>
  (Date.now() - Date.parse(String(timestamp))) / 60_000;

/** Everything that is read of a monitored server has data of its own. */
export async function readMonitored(line: Line, plan: Plan, name: string): Promise<void> {
  const server = `/servers/${idOf(line, name)}`;
  const status = await get(line, plan, `${server}/status`);
  expect(status).toMatchObject({ state: "running", current: { tps: expect.any(Number) } });

  const metrics = await get(line, plan, `${server}/metrics`);
  expect(metrics["points_total"]).toBeGreaterThan(2800);
  const columns = Object.values(metrics["columns"] as Record<string, unknown[]>);
  expect(columns.length).toBeGreaterThan(2);
  for (const column of columns) expect(column).toHaveLength(Number(metrics["points_returned"]));

  const events = await rows(line, plan, `${server}/events`);
  expect(events.length).toBeGreaterThan(6);
  expect(minutesSince(events[0]?.["timestamp"])).toBeLessThan(15);
  const categories = new Set(events.map(({ category }) => category));
  for (const category of ["lifecycle", "benchmark", "moderation", "custom"])
    expect(categories).toContain(category);

  const overview = await get(line, plan, "/monitoring/overview");
  const own = line.servers.filter(({ account }) => account === plan).map(({ id }) => id);
  expect((overview["data"] as Row[]).map((row) => row["server_id"]).toSorted()).toEqual(own.toSorted());

  const maintenance = await get(line, plan, `${server}/maintenance`);
  expect(maintenance["in_progress"]).toBe(name === "Harbour");
  const rules = await rows(line, plan, `${server}/alert-rules`);
  expect(rules.length).toBeGreaterThanOrEqual(2);
  for (const rule of rules) expect(rule["last_value"] === null).toBe(rule["metric"] === "offline");
  expect((await rows(line, plan, `${server}/event-alert-rules`)).length).toBeGreaterThan(0);
  expect((await rows(line, plan, "/alert-events")).length).toBeGreaterThan(0);
}

/** The lists of software, and the update of the plugin that made a server slow. */
export async function readSoftware(line: Line): Promise<void> {
  for (const [plan, name, list, count] of [
    ["pro", "Evergreen Survival", "plugins", 23],
    ["hosting", "Old Mill", "mods", 1],
    ["enterprise", "Archipelago", "plugins", 9],
  ] as const) {
    const software = await get(line, plan, `/servers/${idOf(line, name)}/software`);
    expect(software[list], name).toHaveLength(count);
    expect(software["sender"]).toMatchObject({ kind: "plugin", version: expect.stringMatching(/^1\./) });
  }
  const slow = `/servers/${idOf(line, "Foundry SMP")}`;
  const update = (await rows(line, "hosting", `${slow}/events?category=custom&limit=100`)).find(
    ({ type }) => type === "plugin_updated",
  );
  expect(update?.["metadata"]).toEqual({ subject: "MarketStalls", from: "2.10.0", to: "2.10.1" });
  expect(minutesSince(update?.["timestamp"])).toBeLessThan(24 * 60);
  const [first] = await rows(line, "enterprise", "/monitoring/software");
  expect(first?.["versions"]).toBe(2);
}

/** Rules in every state, of several metrics. */
export async function readRules(line: Line): Promise<void> {
  const plans = {
    hosting: ["Foundry SMP", "Worldgen Lab", "Old Mill"],
    enterprise: ["Night Owls"],
  } as const;
  const rules: Row[] = [];
  for (const plan of ["hosting", "enterprise"] as const)
    for (const name of plans[plan])
      rules.push(...(await rows(line, plan, `/servers/${idOf(line, name)}/alert-rules`)));
  const states = new Set(rules.map(({ state }) => state));
  expect(states).toEqual(new Set(["ok", "pending", "firing", "no_data", "paused"]));
  expect(rules.filter(({ muted_until }) => muted_until !== null)).toHaveLength(1);
  expect(rules.filter(({ enabled }) => enabled === false)).toHaveLength(1);
  const metrics = new Set(rules.map(({ metric }) => metric));
  for (const metric of ["tps", "mspt", "ram_used_mb", "offline", "player_count", "cpu_usage"])
    expect(metrics).toContain(metric);
  expect(new Set(rules.map(({ notify_email }) => notify_email))).toEqual(new Set([true, false]));
}

/** The server in maintenance, with its alert that nobody is told of. */
export async function readMaintenance(line: Line): Promise<void> {
  const harbour = idOf(line, "Harbour");
  const window = await get(line, "enterprise", `/servers/${harbour}/maintenance`);
  expect(window).toMatchObject({
    in_progress: true,
    started_by: "dashboard",
    reason: expect.stringMatching(/./),
  });
  expect(minutesSince(window["started_at"])).toBeGreaterThan(10);
  const events = await rows(line, "enterprise", `/servers/${harbour}/events?type=maintenance_start`);
  expect(events).toMatchObject([{ timestamp: window["started_at"], source: "tickmark" }]);
  const alerts = await rows(line, "enterprise", "/alert-events?kind=event");
  const ofHarbour = alerts.filter((alert) => alert["server_id"] === harbour);
  expect(ofHarbour).toMatchObject([
    {
      in_maintenance: true,
      notified: false,
      delivery: { in_app: { status: "skipped", reason: "maintenance" } },
    },
  ]);
  expect(alerts).toContainEqual(expect.objectContaining({ server_name: "Archipelago", notified: true }));
  for (const alert of alerts) expect(alert["server_state"]).toBe("running");
}
