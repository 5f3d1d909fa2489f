import { z } from "zod";
import type { Door } from "../../src/contract/call/app-context.ts";
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

type Ask = (id: string, input?: Json) => Promise<Rows>;

/** Everything a caller can read, by the ids the lists tell; each endpoint that reads has its part in it. */
async function askAll(ask: Ask): Promise<void> {
  await ask("token.get");
  for (const id of ["server_groups.list", "auto_bench_targets.list", "auto_bench_jobs.list", "offers.list"])
    await ask(id);
  await ask("monitoring.overview", { include_unmonitored: true });
  await ask("alerts.list");
  await ask("profiles.list_all");
  await ask("memory_reports.list_all");
  await askReports(ask);
  for (const { id } of await ask("servers.list")) await askServer(ask, id);
  // Who lists no servers is told so of each of them.
  await askServer(ask, "019a9f5e-1d00-7000-8000-000000000001");
}

async function askReports(ask: Ask): Promise<void> {
  const seen = await ask("reports.list");
  const mine = await ask("reports.list", { mine: true });
  const ids = [...new Set([...mine, ...seen].map(({ id }) => id))];
  for (const report_id of ids)
    for (const id of ["reports.get", "reports.diagnosis", "reports.tuning"]) await ask(id, { report_id });
  const [base = "", other = base, third = base] = ids;
  await ask("reports.compare", { base, other });
  await ask("reports.before_after", { before: [base, third], after: [other], target: "total" });
  for (const { id } of [...(await ask("unit_tests.list")), ...(await ask("unit_tests.list", { mine: true }))])
    await ask("unit_tests.get", { unit_test_id: id });
}

async function askServer(ask: Ask, server_id: string): Promise<void> {
  for (const id of [
    "servers.status",
    "servers.regression",
    "events.list",
    "maintenance.get",
    "event_alert_rules.list",
    "alert_rules.list",
  ])
    await ask(id, { server_id });
  await ask("metrics.get", { server_id });
  await ask("metrics.get", { server_id, range: "1h", max_points: 2000 });
  const profiles = await ask("profiles.list", { server_id, days: 365 });
  for (const { id, profile_id } of profiles)
    await ask("profiles.get", { server_id, profile_id: profile_id ?? id });
  await compareFirst(ask, "profiles.compare", server_id, profiles);
  const reports = await ask("memory_reports.list", { server_id });
  for (const { id } of reports) await ask("memory_reports.get", { server_id, report_id: id });
  await compareFirst(ask, "memory_reports.compare", server_id, reports);
}

async function compareFirst(ask: Ask, id: string, server_id: string, rows: Rows): Promise<void> {
  const [base = server_id, target = base] = rows.map((row) => row.id);
  await ask(id, { server_id, base, target });
}

/** Asks a door for everything that caller can read, each list to its last page; `token` null: nobody in particular. */
export async function walk(door: Door, token: string | null): Promise<Walked[]> {
  const { http } = facesOf(door);
  const answers: Walked[] = [];
  const once = async (endpoint: Endpoint, input: Json): Promise<string> => {
    const request = asRequest(endpoint, input);
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    const { statusCode, body } = await http.inject({ ...request, headers });
    answers.push({ id: endpoint.id, url: String(request.url), status: statusCode, body });
    return body;
  };
  const ask: Ask = async (id, input = {}) => {
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
  await askAll(ask);
  await http.close();
  return answers;
}

/** The endpoints a walk has to ask. */
export const readingEndpoints: readonly string[] = apiEndpoints.filter(isRead).map(({ id }) => id);
