import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readMail, startMailServer, type MailServer } from "../outbound/mail-server.ts";
import { caller, Demo, removeDirectories, rowsOf, type Line, type Plan } from "./child.ts";

type Row = Record<string, unknown>;

const idOf = (line: Line, server: string): string => {
  const found = line.servers.find(({ name }) => name === server);
  if (!found) throw new Error(`The demo has no ${server}.`);
  return found.id;
};

const get = async (line: Line, plan: Plan, path: string): Promise<Row> => {
  const { status, body } = await caller(line, plan)("GET", path);
  expect({ path, status, error: body["error"] }).toEqual({ path, status: 200, error: undefined });
  return body;
};

const rows = async (line: Line, plan: Plan, path: string): Promise<Row[]> =>
  rowsOf({ status: 200, body: await get(line, plan, path) });

const minutesSince = (timestamp: unknown): number => (Date.now() - Date.parse(String(timestamp))) / 60_000;

/** What is read until it holds; few calls, for plans have few. */
const soon = { timeout: 15_000, interval: 500 };

afterAll(removeDirectories);

describe("monitoring in the demo", () => {
  let demo: Demo;
  let line: Line;

  beforeAll(async () => {
    demo = new Demo(["--json", "--port", "0"]);
    line = await demo.line();
  });
  afterAll(() => demo.end("SIGKILL"));

  it("[OUR-DEM-27] has a public status page of all servers of one account", async () => {
    const names = line.servers.filter(({ account }) => account === "enterprise").map(({ name }) => name);
    const response = await fetch(`${line.base_url}/status/demo-network`);
    const text = await response.text();
    expect([response.status, names.length > 3]).toEqual([200, true]);
    for (const name of names) expect(text).toContain(`<bdi>${name}</bdi>`);
  });

  it.each([
    ["pro", "Evergreen Survival"],
    ["hosting", "Foundry SMP"],
    ["enterprise", "Harbour"],
    ["admin", "Operations"],
  ] as const)(
    "[OUR-DEM-16] answers every monitoring read for %s with data of its own",
    async (plan, name) => {
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
    },
  );

  it("[OUR-DEM-23] every server has its software, and the slow one updated a plugin", async () => {
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
  });

  it("[OUR-DEM-16] refuses Free what its plan lacks", async () => {
    for (const read of ["metrics", "events"]) {
      const { status, body } = await caller(line, "free")("GET", `/servers/${idOf(line, "Attic")}/${read}`);
      expect({ read, status, error: body["error"] }).toEqual({ read, status: 403, error: "plan_required" });
    }
  });

  it.each([
    ["hosting", "Foundry SMP", { rule_name: "Slow ticks", metric: "mspt", server_state: "running" }],
    [
      "pro",
      "Evergreen Creative",
      { rule_name: "Server is down", metric: "offline", server_state: "stopped" },
    ],
  ] as const)(
    "[OUR-DEM-18] [OUR-DEM-20] has one open alert for %s, on %s, shown in the browser and not mailed",
    async (plan, server, expected) => {
      const open = await vi.waitFor(async () => {
        const found = await rows(line, plan, "/alert-events?status=open");
        expect(found[0]?.["delivery"]).toMatchObject({ email: { status: "skipped" } });
        return found;
      }, soon);
      expect(open).toHaveLength(1);
      expect(open[0]).toMatchObject({
        ...expected,
        kind: "threshold",
        status: "open",
        server_id: idOf(line, server),
        notified: true,
        delivery: {
          email: { status: "skipped", reason: "not_configured" },
          chat: { status: "skipped", reason: "channel_off" },
          in_app: { status: "sent", reason: null },
        },
      });
      const { totals } = (await get(line, plan, "/monitoring/overview")) as { totals: Row };
      expect(totals["open_alerts"]).toBe(1);
    },
  );

  it("[OUR-DEM-18] has rules in every state, one of them muted and one switched off", async () => {
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
  });

  it("[OUR-DEM-19] has one server in maintenance since before the start, and tells nobody of its alert", async () => {
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
  });
});

describe("monitoring in the demo --still, with a mail server", () => {
  let demo: Demo;
  let line: Line;
  let mail: MailServer;

  beforeAll(async () => {
    mail = await startMailServer();
    demo = new Demo(["--json", "--still", "--port", "0"], { TICKMARK_SMTP_URL: mail.url });
    line = await demo.line();
  });
  afterAll(async () => {
    await demo.end("SIGKILL");
    await mail.close();
  });

  it("[OUR-DEM-19] has an event alert for every plan with monitoring, and no other but of servers that went silent", async () => {
    for (const plan of ["pro", "hosting", "enterprise", "admin"] as const) {
      const alerts = await rows(line, plan, "/alert-events");
      const events = alerts.filter(({ kind }) => kind === "event");
      expect(events.length).toBeGreaterThan(0);
      for (const alert of events) expect(alert).toMatchObject({ status: "resolved" });
      // Nothing is sent after the start: where that took a minute and more, the first servers are offline already.
      for (const alert of alerts.filter(({ kind }) => kind !== "event"))
        expect(alert).toMatchObject({ metric: "offline" });
    }
  });

  it("[OUR-DEM-20] sends the messages of one account to the address of its settings, and no other", async () => {
    const alert = await vi.waitFor(async () => {
      const found = (await rows(line, "hosting", "/alert-events")).find(({ kind }) => kind === "event");
      expect(found?.["delivery"]).toMatchObject({ email: { status: "sent", attempts: 1 } });
      return found;
    }, soon);
    const ofEvent = mail.mails.filter((each) =>
      readMail(each).subject.includes(`${String(alert?.["rule_name"])} on Foundry SMP`),
    );
    expect(ofEvent.map(({ recipients }) => recipients)).toEqual([["alerts@demo.tickmark.example"]]);
    const others = mail.mails.filter((each) => !ofEvent.includes(each)).map(readMail);
    for (const { subject } of others) expect(subject).toContain("Server is down on ");
  });
});
