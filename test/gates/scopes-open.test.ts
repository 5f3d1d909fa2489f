import { expect, it } from "vitest";
import type { Scope } from "../../src/core/access/scope.ts";
import { apiEndpoints } from "../../src/endpoints/api/registry.ts";

const read: Partial<Record<Scope, readonly string[]>> = {
  "reports:read": [
    "/reports",
    "/reports/{id}",
    "/reports/compare",
    "/reports/{id}/diagnosis",
    "/reports/{id}/tuning",
    "/reports/before-after",
  ],
  "unit-tests:read": ["/unit-tests", "/unit-tests/{id}"],
  "servers:read": ["/servers", "/servers/{id}/regression", "/server-groups"],
  "auto-bench:read": ["/auto-bench/targets", "/auto-bench/jobs"],
  "offers:read": ["/offers"],
};

/** What a scope opens, as the documentation says: method and path. */
const opened = (scope: Scope): string[] =>
  apiEndpoints
    .filter(({ access }) => access.face === "api" && access.scope === scope)
    .map(({ method, path }) => `${method} ${path}`);

it("[ACC-14] read scopes open what they name", () => {
  for (const [scope, paths = []] of Object.entries(read))
    expect(opened(scope as Scope), scope).toEqual(paths.map((path) => `GET ${path}`));
});

it("[ACC-15] monitoring:read opens all that is seen of servers, and of their alerts", () => {
  expect(opened("monitoring:read").toSorted()).toEqual(
    [
      "/servers/{id}/status",
      "/servers/{id}/health",
      "/monitoring/health",
      "/servers/{id}/software",
      "/servers/{id}/metrics",
      "/servers/{id}/metrics/compare",
      "/servers/{id}/events",
      "/monitoring/events",
      "/monitoring/availability",
      "/monitoring/alert-rules",
      "/servers/{id}/profiles/summaries",
      "/servers/{id}/profiles/{profileId}",
      "/servers/{id}/profiles/compare",
      "/servers/{id}/memory-reports",
      "/servers/{id}/memory-reports/compare",
      "/servers/{id}/memory-reports/{reportId}",
      "/servers/{id}/maintenance",
      "/monitoring/overview",
      "/monitoring/software",
      "/monitoring/profiles",
      "/monitoring/memory-reports",
      "/servers/{id}/alert-rules",
      "/servers/{id}/alert-rules/preview",
      "/servers/{id}/event-alert-rules",
      "/alert-events",
    ]
      .map((path) => `GET ${path}`)
      .toSorted(),
  );
});

it("[ACC-16] the writes of servers, links and reports have a scope each", () => {
  expect(opened("servers:write").toSorted()).toEqual([
    "PATCH /server-groups/{id}",
    "PATCH /servers/{id}",
    "POST /server-groups",
    "PUT /servers/{id}/group",
  ]);
  expect(opened("servers:link")).toEqual(["POST /servers/link"]);
  expect(opened("reports:write")).toEqual(["PATCH /reports/{id}"]);
});

it("[ACC-17] so have those of monitoring and of auto-bench", () => {
  expect(opened("monitoring:write").toSorted()).toEqual([
    "PATCH /alert-rules/{id}",
    "POST /alert-events/{id}/acknowledge",
    "POST /alert-rules/{id}/test",
    "POST /servers/{id}/alert-rules",
    "POST /servers/{id}/maintenance",
    "POST /servers/{id}/maintenance/end",
  ]);
  expect(opened("auto-bench:write").toSorted()).toEqual([
    "PATCH /auto-bench/targets/{id}",
    "POST /auto-bench/jobs/{id}/cancel",
    "POST /auto-bench/targets/{id}/run-now",
  ]);
});
