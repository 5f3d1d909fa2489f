import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HealthVerdict } from "../../../src/core/health/health.ts";
import type { Fleet } from "../../../src/core/monitoring/overview.ts";
import {
  alertOn,
  evaluated,
  fleetHealth,
  limits,
  monitoringOverview,
  now,
  serverWith,
  states,
} from "./fleet-servers.ts";

describe("the health of a fleet", () => {
  it("[OUR-OVR-07] lists the first servers of the overview, and counts the others and every verdict", () => {
    const verdicts = fc.array(fc.constantFrom<HealthVerdict>("critical", "degraded", "unknown", "healthy"), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(verdicts, fc.integer({ min: 1, max: 25 }), (fleet, limit) => {
        const servers = [
          ...fleet.map(() => serverWith()),
          serverWith(states["unreachable"]),
          serverWith(states["over_quota"]),
        ];
        const health = new Map(fleet.map((verdict, index) => evaluated(servers[index]?.id ?? "", verdict)));
        const all: Fleet = {
          servers,
          alerts: [alertOn(servers[0]?.id ?? "")],
          maintenance: new Map(),
          health,
          enabledRules: new Map(),
        };
        const { data, more_servers, totals } = fleetHealth(all, limits, now, limit);
        const rows = monitoringOverview(all, { includeUnmonitored: false, watched: null }, limits, now).data;
        expect(data.map(({ server_id }) => server_id)).toEqual(
          rows.slice(0, limit).map(({ server_id }) => server_id),
        );
        expect(data[0]).toMatchObject({
          verdict: "down",
          reasons: ["server_down"],
          headline: { code: "server_down" },
        });
        expect(data.length + more_servers).toBe(servers.length);
        expect(totals).toMatchObject({ servers: servers.length, down: 1, stopped: 0, not_monitored: 1 });
        for (const verdict of ["critical", "degraded", "unknown", "healthy"] as const)
          expect(totals[verdict]).toBe(fleet.filter((one) => one === verdict).length);
        const { open_alerts } = data.find(({ server_id }) => server_id === servers[0]?.id) ?? {};
        expect([1, undefined]).toContain(open_alerts);
      }),
    );
  });
});
