import { z } from "zod";
import type { AppContext } from "../../src/contract/call/app-context.ts";
import { isRead, type Endpoint } from "../../src/contract/endpoint/endpoint.ts";
import { apiEndpoints } from "../../src/endpoints/api/registry.ts";
import { asRequest, facesOf } from "../support/faces.ts";
import type { Json } from "../support/payload.ts";

/** One answer as it left the service. */
export interface Walked {
  readonly id: string;
  readonly url: string;
  readonly status: number;
  readonly body: string;
}

const Page = z.object({
  data: z.array(z.looseObject({ id: z.string(), profile_id: z.string().nullish() })),
  page: z.object({ cursor: z.string().nullable() }),
});
type Rows = z.output<typeof Page>["data"];

/** So small that every list has next pages. */
const pageLimit = 3;
const mostPages = 200;

type Call = (id: string, input?: Json) => Promise<Rows>;

/** Everything a caller can read, by the ids the lists tell; each endpoint that reads has its part in it. */
async function callAll(call: Call): Promise<void> {
  await call("token.get");
  for (const id of ["server_groups.list", "auto_bench_targets.list", "auto_bench_jobs.list", "offers.list"])
    await call(id);
  await call("monitoring.overview", { include_unmonitored: true });
  await call("monitoring.availability");
  await call("alert_rules.list_all");
  await call("software.list_all");
  await call("monitoring.health");
  await call("events.list_all", { severity: "error" });
  await call("alerts.list");
  await call("profiles.list_all");
  await call("memory_reports.list_all");
  await callReports(call);
  for (const { id } of await call("servers.list")) await callServer(call, id);
  // A caller who lists no servers gets the same answer for one of them.
  await callServer(call, "019a9f5e-1d00-7000-8000-000000000001");
}

async function callReports(call: Call): Promise<void> {
  const seen = await call("reports.list");
  const mine = await call("reports.list", { mine: true });
  const ids = [...new Set([...mine, ...seen].map(({ id }) => id))];
  for (const report_id of ids)
    for (const id of ["reports.get", "reports.diagnosis", "reports.tuning"]) await call(id, { report_id });
  const [base = "", other = base, third = base] = ids;
  await call("reports.compare", { base, other });
  await call("reports.before_after", { before: [base, third], after: [other], target: "total" });
  for (const { id } of [
    ...(await call("unit_tests.list")),
    ...(await call("unit_tests.list", { mine: true })),
  ])
    await call("unit_tests.get", { unit_test_id: id });
}

async function callServer(call: Call, server_id: string): Promise<void> {
  for (const id of [
    "servers.status",
    "servers.health",
    "servers.software",
    "servers.regression",
    "events.list",
    "maintenance.get",
    "event_alert_rules.list",
    "alert_rules.list",
  ])
    await call(id, { server_id });
  await call("metrics.get", { server_id });
  await call("metrics.get", { server_id, range: "1h", max_points: 2000 });
  await call("metrics.compare", { server_id, base: "previous", target_from: "-3d", target_to: "now" });
  await call("alert_rules.preview", {
    server_id,
    metric: "mspt",
    condition: "above",
    threshold: 45,
    days: 3,
  });
  const profiles = await call("profiles.list", { server_id, days: 365 });
  for (const { id, profile_id } of profiles)
    await call("profiles.get", { server_id, profile_id: profile_id ?? id });
  await compareFirst(call, "profiles.compare", server_id, profiles);
  const reports = await call("memory_reports.list", { server_id });
  for (const { id } of reports) await call("memory_reports.get", { server_id, report_id: id });
  await compareFirst(call, "memory_reports.compare", server_id, reports);
}

async function compareFirst(call: Call, id: string, server_id: string, rows: Rows): Promise<void> {
  const [base = server_id, target = base] = rows.map((row) => row.id);
  await call(id, { server_id, base, target });
}

/** Calls an app for everything that caller can read, each list to its last page; `token` null: anonymous. */
export async function walk(app: AppContext, token: string | null): Promise<Walked[]> {
  const { http } = facesOf(app);
  const answers: Walked[] = [];
  const once = async (endpoint: Endpoint, input: Json): Promise<string> => {
    const request = asRequest(endpoint, input);
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    const { statusCode, body } = await http.inject({ ...request, headers });
    answers.push({ id: endpoint.id, url: String(request.url), status: statusCode, body });
    return body;
  };
  const call: Call = async (id, input = {}) => {
    const endpoint = apiEndpoints.find((one) => one.id === id);
    if (!endpoint) throw new Error(`There is no endpoint ${id}.`);
    const limited = endpoint.fields.has("limit") ? { ...input, limit: pageLimit } : input;
    const rows: Rows = [];
    let cursor: string | null = null;
    for (let page = 0; page < mostPages; page += 1) {
      const body = await once(endpoint, cursor === null ? limited : { ...limited, cursor });
      const list = Page.safeParse(JSON.parse(body)).data;
      rows.push(...(list?.data ?? []));
      cursor = list?.page.cursor ?? null;
      if (cursor === null) return rows;
    }
    throw new Error(`${id} does not end.`);
  };
  await callAll(call);
  await http.close();
  return answers;
}

/** The endpoints that a walk has to call. */
export const readingEndpoints: readonly string[] = apiEndpoints.filter(isRead).map(({ id }) => id);
