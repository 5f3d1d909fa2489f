import { recordActivityOfTokens } from "../../../src/services/access/record-activity.ts";
import { intercept } from "../../support/intercept.ts";
import { selectPresentedToken, updateTokenRevoked } from "../../../src/store/access/tokens.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { callAsPerson } from "../../../src/contract/call/call-as-person.ts";
import { personOf, startSession } from "../../../src/contract/call/person.ts";
import type { Account } from "../../../src/core/access/account.ts";
import { listActivity } from "../../../src/actions/access/list-activity.ts";
import { startTestService, type TestService } from "../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

async function activityOf(account: Account, input: Parameters<typeof listActivity.input.parse>[0] = {}) {
  const { app } = service;
  await service.service.work.run();
  const { secret } = await startSession(app, account, null, app.clock());
  const person = await personOf(app, secret, "", app.clock());
  return callAsPerson(app, listActivity, person, input as { limit?: number }, "test");
}

const mcp = (token: string, name: string) =>
  service.request("POST", "/mcp", {
    token,
    headers: { accept: "application/json, text/event-stream" },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } },
  });

it("[OUR-ACT-01] notes what a token did over REST and the connector, and never what was sent", async () => {
  const account = await service.account("pro");
  const token = await service.token(account);
  await service.request("GET", "/api/v1/servers?limit=7", { token });
  await mcp(token, "list_offers");
  await service.request("POST", "/api/v1/server-groups", { token, body: { name: "very-private-name" } });
  const { data } = await activityOf(account);
  expect(data.map(({ call, status, times }) => [call, status, times])).toEqual(
    expect.arrayContaining([
      ["servers.list", 200, 1],
      ["offers.list", 200, 1],
      ["server_groups.create", 201, 1],
    ]),
  );
  expect(data).toHaveLength(3);
  expect(JSON.stringify(data)).not.toContain("very-private-name");
  expect(data[0]?.token).toMatchObject({ name: "a test's token", kind: "token" });
});

it("[OUR-ACT-02] notes refused calls, counted or not, also those of a token that was revoked", async () => {
  const account = await service.account("free");
  const token = await service.token(account, ["reports:read"]);
  const { db, secrets, clock } = service.app;
  await service.request("GET", "/api/v1/servers", { token });
  for (let turn = 0; turn < 9; turn += 1)
    await service.request("GET", "/api/v1/reports?limit=never", { token });
  await service.request("GET", "/api/v1/reports", { token });
  const newer = await service.token(account, ["reports:read"], { createdAt: clock() + 1 });
  await service.request("GET", "/api/v1/reports", { token });
  const found = await db.read(selectPresentedToken, secrets.digest(newer), clock());
  await db.write(updateTokenRevoked, found?.token.id ?? "", clock());
  await service.request("GET", "/api/v1/reports", { token: newer });
  await service.request("GET", "/api/v1/reports", { token: "tkm_unknown" });
  await service.request("GET", "/api/v1/reports");
  const { data } = await activityOf(account);
  // Alike calls may fall into two seconds.
  const counts = new Map<string, number>();
  for (const { call, status, error, times } of data) {
    const key = `${call} ${status} ${error}`;
    counts.set(key, (counts.get(key) ?? 0) + times);
  }
  expect(Object.fromEntries(counts)).toEqual({
    "reports.list 400 validation_error": 9,
    "reports.list 401 token_revoked": 1,
    "reports.list 403 token_quota_exceeded": 1,
    "reports.list 429 daily_quota_exceeded": 1,
    "servers.list 403 missing_scope": 1,
  });
  const own = await activityOf(account, { token_id: found?.token.id });
  expect(own.data).toHaveLength(1);
  expect(own.data[0]?.error).toBe("token_revoked");
});

it("[OUR-ACT-04] what was noted is written when the process ends", async () => {
  const apart = await startTestService();
  const account = await apart.account("pro");
  const token = await apart.token(account);
  const written: string[] = [];
  intercept(apart.app.db, recordActivityOfTokens, (usual, rows) => {
    written.push(...rows.map(({ call }) => call));
    return usual();
  });
  await apart.request("GET", "/api/v1/servers", { token });
  await apart.close();
  expect(written).toEqual(["servers.list"]);
  expect(apart.defects).toEqual([]);
});
