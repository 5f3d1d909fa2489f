import fc from "fast-check";
import { expect, test } from "vitest";
import { planNames } from "../../../src/core/access/plan.ts";
import { roles, scopes } from "../../../src/core/access/scope.ts";
import {
  accountTable,
  activityTable,
  apiTokenTable,
  oauthRecordTable,
  oneTimeCodeTable,
  sessionTable,
  writeReplayTable,
} from "../../../src/store/access/tables.ts";
import { expectRoundTrip } from "./records.ts";

const ordered = fc.subarray([...scopes]);

test("what is written of accounts and of what lets people in is read as the same", () => {
  expectRoundTrip(accountTable, { plan: fc.constantFrom(...planNames), role: fc.constantFrom(...roles) });
  expectRoundTrip(sessionTable);
  expectRoundTrip(oneTimeCodeTable);
  expectRoundTrip(oauthRecordTable);
  expectRoundTrip(apiTokenTable, { kind: fc.constantFrom("token", "connector"), scopes: ordered });
  expectRoundTrip(activityTable);
  expectRoundTrip(writeReplayTable);
});

const account = { id: "a", email: "a@b.example", emailVerified: true, createdAt: 5 } as const;
const accountRow = { id: "a", email: "a@b.example", email_verified: 1, created_at: 5 };

test("an account's row", () => {
  const record = { ...account, plan: "free", role: "user" } as const;
  const row = { ...accountRow, plan: "free", role: "user" };
  expect(accountTable.toRow(record)).toEqual(row);
  expect(accountTable.toRecord({ ...row, email_verified: 0 })).toEqual({ ...record, emailVerified: false });
  expect(() => accountTable.toRecord({ ...row, plan: "none" })).toThrow("Invalid option");
});

test("a token's row: scopes in their own order, and anything that is no connector is a token", () => {
  const row = { id: "t", account_id: "a", name: "n", created_at: 1, expires_at: 2, revoked_at: 3 };
  const stored = { ...row, last_used_at: null, kind: "else", scopes: `${scopes[1]} unknown ${scopes[0]}` };
  expect(apiTokenTable.toRecord(stored)).toEqual({
    id: "t",
    accountId: "a",
    name: "n",
    kind: "token",
    scopes: [scopes[0], scopes[1]],
    createdAt: 1,
    expiresAt: 2,
    revokedAt: 3,
    lastUsedAt: null,
  });
});

test("a code that belongs to nobody has no account's id", () => {
  const row = { id: "c", purpose: "invitation", email: null, created_at: 1, expires_at: 2 };
  expect(oneTimeCodeTable.toRecord({ ...row, account_id: null })).toMatchObject({ accountId: "" });
});

test("a record of the authorization server has its grant in the column of the token", () => {
  const record = { kind: "k", digest: "d", payload: "{}", createdAt: 1, expiresAt: 2, consumedAt: null };
  const row = { kind: "k", digest: "d", payload: "{}", created_at: 1, expires_at: 2, consumed_at: null };
  expect(oauthRecordTable.toRow({ ...record, grantId: "g" })).toEqual({ ...row, token_id: "g" });
});
