import { changePlan } from "../../../src/services/access/change-plan.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ServerStatus } from "../../../src/core/server/status.ts";
import type { Json } from "../../support/payload.ts";
import {
  roomyPlans,
  rowsOf,
  startTestService,
  type Answer,
  type LinkedServer,
  type TestService,
} from "../../support/service.ts";
import { handClock, minuteMs, secondMs } from "../../support/clock.ts";

let service: TestService;
let token: string;
let servers: LinkedServer[];
const clock = handClock();

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans, clock: clock.now });
});
beforeEach(async () => {
  clock.advance(minuteMs);
  const owner = await service.account("pro");
  token = await service.token(owner);
  servers = [];
  for (const name of ["Lobby", "Survival", "Creative", "Test"]) {
    clock.advance(secondMs);
    servers.push(await service.server(owner, { name }));
  }
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const overview = (query = ""): Promise<Answer> =>
  service.request("GET", `/api/v1/monitoring/overview${query}`, { token });
const names = async (query = ""): Promise<unknown[]> => rowsOf(await overview(query)).map(({ name }) => name);

const beat = (index: number, more: Json = {}): Promise<Answer> => {
  const now = new Date(clock.now()).toISOString();
  const sample = { sampled_at: now, tps: 20, player_count: index + 1 };
  return service.request("POST", "/plugin/v1/heartbeat", {
    token: servers[index]?.credential ?? null,
    body: { sent_at: now, plugin_version: "1.10.2", sample, ...more },
  });
};

describe("the overview", () => {
  it("[OVR-01] [OUR-OVR-03] has the fields of each server's status, its name and group, and its maintenance", async () => {
    await beat(0);
    await beat(1, { announce: "stopping" });
    clock.advance(secondMs);
    const { json } = await overview();
    expect(Object.keys(json)).toEqual(["generated_at", "data", "more_servers", "totals"]);
    expect(json["generated_at"]).toBe(new Date(clock.now()).toISOString());
    const rows = json["data"] as Json[];
    expect(rows).toHaveLength(3);
    for (const row of rows) {
      const { name, group_id, maintenance_ends_at, open_alerts, enabled_rules, health, ...status } = row;
      expect(Object.keys(row)).toEqual([
        ...Object.keys(ServerStatus.shape),
        "name",
        "group_id",
        "maintenance_ends_at",
        "open_alerts",
        "enabled_rules",
        "health",
      ]);
      const alone = await service.request("GET", `/api/v1/servers/${String(row["server_id"])}/status`, {
        token,
      });
      expect(status).toEqual(alone.json);
      expect(["unknown", "stopped", "down"]).toContain((health as Json)["verdict"]);
      expect(servers.find(({ id }) => id === row["server_id"])).toBeDefined();
      expect([typeof name, open_alerts, enabled_rules]).toEqual(["string", [], 1]);
      expect([group_id, maintenance_ends_at]).toEqual([null, null]);
    }
  });

  it("[OVR-02] [OUR-OVR-01] [OUR-OVR-02] lists the worst first, with totals of what it lists", async () => {
    await beat(0);
    clock.advance(100 * secondMs);
    await beat(1);
    await beat(2, { announce: "stopping" });
    expect(await names()).toEqual(["Lobby", "Survival", "Creative"]);
    expect((await overview()).json["totals"]).toEqual({
      servers: 3,
      online: 1,
      offline: 2,
      not_monitored: 0,
      by_state: {
        running: 1,
        unresponsive: 0,
        paused_empty: 0,
        stopped: 1,
        paused: 0,
        unreachable: 1,
        never_seen: 0,
        not_monitored: 0,
      },
      players: 2,
      open_alerts: 0,
      unwatched: 0,
    });
  });

  it("[OVR-03] [PAG-05] adds servers whose monitoring is off for include_unmonitored=true alone", async () => {
    expect(await names()).toEqual(["Creative", "Lobby", "Survival"]);
    expect(await names("?include_unmonitored=false")).toEqual(["Creative", "Lobby", "Survival"]);
    expect(await names("?include_unmonitored=true")).toEqual(["Creative", "Lobby", "Survival", "Test"]);
    for (const query of ["1", "TRUE", "", "true&include_unmonitored=true"])
      expect((await overview(`?include_unmonitored=${query}`)).json["field"]).toBe("include_unmonitored");
    expect((await overview("?limit=10")).json["field"]).toBe("limit");
  });

  it("[OVR-01] [STA-14] shows servers of a lapsed plan as not monitored, and takes no plan to be read", async () => {
    await beat(0);
    await service.app.db.write(changePlan, servers[0]?.owner.id ?? "", "free", clock.now());
    const { status, json } = await overview();
    expect([status, json["totals"]]).toMatchObject([
      200,
      { servers: 3, not_monitored: 3, offline: 0, players: 0 },
    ]);
    const stranger = await service.token(await service.account("free"));
    const empty = await service.request("GET", "/api/v1/monitoring/overview", { token: stranger });
    expect(empty.json).toMatchObject({ data: [], totals: { servers: 0 } });
  });
});
