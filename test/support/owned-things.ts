import type { Account } from "../../src/core/access/account.ts";
import { captured } from "./captures.ts";
import { rowsOf, type TestService } from "./service.ts";
import { unitTestPayload } from "./unit-test.ts";
import { autoBenchOf } from "../endpoints/access/ownership-auto-bench.ts";
import { lowTps, type Things } from "../endpoints/access/ownership-table.ts";

/** A heartbeat that opens an alert. */
async function lag(service: TestService, credential: string): Promise<void> {
  const sent_at = new Date(service.app.clock()).toISOString();
  const body = { sent_at, plugin_version: "1.10.2", sample: { sampled_at: sent_at, tps: 5 } };
  const answer = await service.request("POST", "/plugin/v1/heartbeat", { token: credential, body });
  if (answer.json["accepted"] !== true) throw new Error(answer.text);
}

/** A server of an account with one of everything. */
export async function thingsOf(
  service: TestService,
  account: Account,
): Promise<Things & { credential: string }> {
  const { id, code, ...linked } = await service.server(account);
  const { id: report } = await service.report({ id, code, ...linked });
  const token = await service.token(account);
  const tested = await service.request("POST", "/plugin/v1/unit-tests", {
    token: linked.credential,
    body: unitTestPayload(),
  });
  const [unitTest = ""] = tested.json["ids"] as string[];
  const group = await service.request("POST", "/api/v1/server-groups", { token, body: { name: "A" } });
  const rules = `/api/v1/servers/${id}/alert-rules`;
  const rule = await service.request("POST", rules, { token, body: lowTps });
  await lag(service, linked.credential);
  const alerts = await service.request("GET", "/api/v1/alert-events", { token });
  const ids = {
    group: String(group.json["id"]),
    rule: String(rule.json["id"]),
    alert: String(rowsOf(alerts)[0]?.["id"]),
  };
  const benched = await autoBenchOf(service, account, id);
  const captures = await captured(service.app, { id });
  return {
    account: account.id,
    server: id,
    credential: linked.credential,
    report,
    unitTest,
    code,
    ...ids,
    ...benched,
    ...captures,
  };
}

/** Ids that nobody has. */
export function absentThings({ app }: TestService): Things {
  const absent = (): string => app.secrets.newId(app.clock());
  return {
    account: absent(),
    server: absent(),
    group: absent(),
    report: absent(),
    unitTest: absent(),
    target: absent(),
    job: absent(),
    code: "ZZZZZZZZ",
    rule: absent(),
    alert: absent(),
    profile: absent(),
    summary: absent(),
    otherSummary: absent(),
    memoryReport: absent(),
    otherMemoryReport: absent(),
  };
}
