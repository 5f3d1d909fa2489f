import { consumeOAuthRecord } from "../../src/store/access/oauth-records.ts";
import { intercept } from "../support/intercept.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { roomyPlans, startTestService, type Answer, type TestService } from "../support/service.ts";
import { callTool, program, tokensIn } from "./program.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans });
});
afterAll(async () => {
  // The one that the last test makes.
  expect(service.defects).toHaveLength(1);
  await service.close();
});

const errorOf = ({ status, json }: Answer): [number, unknown] => [status, json["error"]];

it("[OUR-OAU-26] a refresh token that another program shows, or for another resource, revokes its grant", async () => {
  const account = await service.account();
  const [one, other] = [await program(service, account), await program(service, account)];
  const foreign = { resource: "https://elsewhere.example/mcp" };
  const kept = await one.connect();
  for (const [show, error] of [
    [(token: string) => other.refresh(token), "invalid_grant"],
    [(token: string) => one.refresh(token, foreign), "invalid_target"],
  ] as const) {
    const first = await one.connect();
    const second = tokensIn(await one.refresh(first.refresh));
    expect(errorOf(await show(second.refresh))).toEqual([400, error]);
    for (const access of [first.access, second.access])
      expect(errorOf(await callTool(service, access))).toEqual([401, "token_revoked"]);
    expect(errorOf(await one.refresh(second.refresh))).toEqual([400, "invalid_grant"]);
  }
  expect((await callTool(service, kept.access)).status).toBe(200);
  expect((await one.refresh(kept.refresh)).status).toBe(200);
});

it("[OUR-OAU-26] a refresh that fails for another reason revokes nothing", async () => {
  const one = await program(service, await service.account());
  const { access, refresh } = await one.connect({ scope: "reports:read" });
  const failing: [ReturnType<typeof one.refresh>, unknown[]][] = [
    [one.refresh(refresh, { client_id: "unknown" }), [401, "invalid_client"]],
    [one.refresh(refresh, { client_id: undefined }), [400, "invalid_request"]],
    [one.refresh(refresh, { grant_type: "client_credentials" }), [400, "unsupported_grant_type"]],
    [one.refresh(refresh, { scope: "servers:write" }), [400, "invalid_scope"]],
    [one.refresh(refresh, { scope: '"' }), [400, "invalid_scope"]],
    [one.refresh("never issued"), [400, "invalid_grant"]],
    [one.redeem(refresh), [400, "invalid_grant"]],
  ];
  for (const [pending, expected] of failing) expect(errorOf(await pending)).toEqual(expected);
  expect((await callTool(service, access)).status).toBe(200);
  expect((await one.refresh(refresh)).status).toBe(200);
});

it("[OUR-OAU-26] a request that fails before its code is looked at, or by the service's fault, spends nothing", async () => {
  const one = await program(service, await service.account());
  const code = await one.code();
  const failing: [ReturnType<typeof one.redeem>, unknown[]][] = [
    [one.redeem(code, { client_id: "unknown" }), [401, "invalid_client"]],
    [one.redeem(code, { client_id: undefined }), [400, "invalid_request"]],
    [one.redeem(code, { grant_type: "client_credentials" }), [400, "unsupported_grant_type"]],
    [one.redeem("never-issued"), [400, "invalid_grant"]],
    [one.refresh(code), [400, "invalid_grant"]],
  ];
  for (const [pending, expected] of failing) expect(errorOf(await pending)).toEqual(expected);
  const end = intercept(service.app.db, consumeOAuthRecord, () =>
    Promise.reject(new Error("the disk is full")),
  );
  expect(errorOf(await one.redeem(code))).toEqual([500, "server_error"]);
  end();
  expect((await one.redeem(code)).status).toBe(200);
});
