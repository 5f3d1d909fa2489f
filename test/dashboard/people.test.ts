import { afterAll, beforeAll, expect, it } from "vitest";
import { hashPassword } from "../../src/contract/passwords.ts";
import type { Account } from "../../src/core/access/account.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { visitor } from "../support/visitor.ts";

const password = "correct horse battery";

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startTestService();
  account = await service.account();
  await service.door.stores.accounts.changePassword(account.id, await hashPassword(password), null);
});
afterAll(() => service.close());

it("signs in and out", async () => {
  const browser = visitor(service);
  const answer = await browser.send("/sign-in?to=/alerts", "sign_in", {
    email: account.email,
    password,
    to: "/alerts",
  });
  expect([answer.status, answer.headers.location]).toEqual([303, "/alerts"]);
  expect((await browser.get("/sign-out")).text).toContain(account.email);
  const out = await browser.send("/sign-out", "sign_out");
  expect(out.headers.location).toBe("/sign-in?after=out");
  expect((await browser.get("/sign-out")).status).toBe(303);
});
