import { expect } from "vitest";
import { pluginClient } from "../../src/outbound/plugin-client.ts";
import { caller, rowsOf, type Line, type Plan } from "./child.ts";

/** Every documented route once; a plan of ten calls a day has none left for the last two. */
export async function callRoutes(line: Line, plan: Plan, writesToo: boolean): Promise<void> {
  const call = caller(line, plan);
  const own = line.servers.filter(({ account }) => account === plan);
  const server = own[0]?.id ?? "";

  const token = await call("GET", "/token");
  expect(token.status).toBe(200);
  expect(token.body["available_scopes"]).toHaveLength(11);

  const servers = rowsOf(await call("GET", "/servers"));
  for (const { id, name } of own)
    expect(servers).toContainEqual(expect.objectContaining({ id, name, owned_by_you: true }));
  const groups = rowsOf(await call("GET", "/server-groups"));
  expect(groups).toHaveLength(2);
  expect(groups.reduce((sum, group) => sum + Number(group["server_count"]), 0)).toBe(own.length);
  const status = await call("GET", `/servers/${server}/status`);
  expect(status.body["state"]).toBe(plan === "free" ? "not_monitored" : "running");

  const reports = rowsOf(await call("GET", "/reports?mine=true"));
  expect(reports.length).toBeGreaterThanOrEqual(2);
  const scored = reports.filter((report) => report["benchmark_mode"] === "standard");
  const [base, other] = scored.map((report) => String(report["short_id"]));
  expect(await call("GET", `/reports/${base}`)).toMatchObject({ status: 200, body: { short_id: base } });
  const compared = await call("GET", `/reports/compare?base=${base}&other=${other}`);
  expect(compared.status).toBe(200);
  expect(JSON.stringify(compared.body)).toContain("total");
  const described = await call("PATCH", `/reports/${base}`, { description: "Seen by a test." });
  expect(described).toMatchObject({ status: 200, body: { description: "Seen by a test." } });

  const group = String(groups[1]?.["id"]);
  expect(await call("PUT", `/servers/${server}/group`, { group_id: group })).toMatchObject({
    status: 200,
    body: { group_id: group },
  });
  const installation = crypto.randomUUID();
  const { code } = await pluginClient(line.base_url).requestLinkCode({ installation_id: installation });
  expect(await call("POST", "/servers/link", { code, name: "Late" })).toMatchObject({
    status: 201,
    body: { name: "Late" },
  });
  expect(await call("POST", "/server-groups", { name: "New" })).toMatchObject({
    status: 201,
    body: { name: "New" },
  });
  if (!writesToo) return;
  expect(await call("PATCH", `/server-groups/${group}`, { color: "pink" })).toMatchObject({
    status: 200,
    body: { color: "pink" },
  });
  expect(await call("PATCH", `/servers/${server}`, { is_public: true })).toMatchObject({
    status: 200,
    body: { is_public: true },
  });
}
