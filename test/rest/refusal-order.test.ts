import { verifyEmailOf } from "../../src/services/access/verify-email-of.ts";
import { changePlan } from "../../src/services/access/change-plan.ts";
import { selectPresentedToken, updateTokenRevoked } from "../../src/store/access/tokens.ts";
import { handClock, minuteMs } from "../support/clock.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import { scopes } from "../../src/core/access/scope.ts";
import {
  roomyLimits,
  startTestService,
  type Answer,
  type Json,
  type TestService,
} from "../support/service.ts";
import { certify } from "./rows.ts";

/** What is wrong with one request; several things at once where two faults meet. */
interface Faulty {
  credential?: "none" | "unknown" | "revoked" | "expired";
  overTokenLimit?: true;
  windowSpent?: true;
  withoutScope?: true;
  bytes?: "no json" | "no object";
  contentType?: string;
  members?: Json;
  query?: string;
  absent?: true;
  foreign?: true;
  unverified?: true;
  certified?: true;
  custom?: true;
}

/** In the order in which they are answered: credential, token limit, window, scope, input, 404, 403, 409. */
const faults: readonly { readonly error: string; readonly fault: Faulty }[] = [
  { error: "unauthorized", fault: { credential: "none" } },
  { error: "invalid_token", fault: { credential: "unknown" } },
  { error: "token_revoked", fault: { credential: "revoked" } },
  { error: "token_expired", fault: { credential: "expired" } },
  { error: "token_quota_exceeded", fault: { overTokenLimit: true } },
  { error: "daily_quota_exceeded", fault: { windowSpent: true } },
  { error: "missing_scope", fault: { withoutScope: true } },
  { error: "invalid_json", fault: { bytes: "no json" } },
  { error: "invalid_body", fault: { bytes: "no object" } },
  { error: "invalid_body", fault: { contentType: "text/plain" } },
  { error: "invalid_body", fault: { contentType: "garbage" } },
  { error: "field_not_allowed", fault: { members: { extra: 1 } } },
  { error: "validation_error", fault: { query: "?limit=1" } },
  { error: "validation_error", fault: { members: { private_notes: 7 } } },
  {
    error: "validation_error",
    fault: { members: { private_notes: JSON.parse("[".repeat(40) + "]".repeat(40)) as unknown } },
  },
  { error: "too_many_links", fault: { members: { description: "https://a.example ".repeat(4) } } },
  { error: "not_found", fault: { absent: true } },
  { error: "not_owner", fault: { foreign: true } },
  { error: "email_not_verified", fault: { unverified: true } },
  { error: "report_locked", fault: { certified: true } },
  { error: "custom_not_public", fault: { custom: true } },
];

let service: TestService;
let author: Account;
let admin: Account;
const clock = handClock();
const reports = new Map<string, string>();
const tokens = new Map<string, string>();

const reportOf = ({ certified, custom }: Faulty): string =>
  reports.get(`${certified ?? false} ${custom ?? false}`) ?? "";

beforeAll(async () => {
  service = await startTestService({
    clock: clock.now,
    plans: {
      enterprise: roomyLimits,
      pro: { ...roomyLimits, daily_calls: 0 },
      hosting: { ...roomyLimits, tokens: 0 },
      free: { ...roomyLimits, tokens: 0, daily_calls: 0 },
    },
  });
  author = await service.account("enterprise");
  admin = await service.account("enterprise", "admin");
  const server = await service.server(author);
  for (const certified of [undefined, true] as const) {
    for (const custom of [undefined, true] as const) {
      const { id } = await service.report(server, custom ? { benchmark_mode: "custom" } : {});
      if (certified) await certify(service, id);
      reports.set(`${certified ?? false} ${custom ?? false}`, id);
    }
  }
  const now = service.app.clock();
  for (const [who, account] of [
    ["author", author],
    ["admin", admin],
  ] as const) {
    for (const [scope, ticked] of [
      ["all", scopes],
      ["none", ["offers:read"]],
    ] as const) {
      tokens.set(`${who} ${scope} good`, await service.token(account, ticked));
      tokens.set(
        `${who} ${scope} expired`,
        await service.token(account, ticked, { createdAt: now - 9000, expiresAt: now - 1 }),
      );
      const revoked = await service.token(account, ticked);
      const presented = await service.app.db.read(
        selectPresentedToken,
        service.app.secrets.digest(revoked),
        now,
      );
      await service.app.db.write(updateTokenRevoked, presented?.token.id ?? "", now);
      tokens.set(`${who} ${scope} revoked`, revoked);
    }
  }
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

function tokenOf({ credential, foreign, withoutScope }: Faulty): string | null {
  if (credential === "none") return null;
  if (credential === "unknown") return service.app.secrets.newSecret("api");
  return (
    tokens.get(`${foreign ? "admin" : "author"} ${withoutScope ? "none" : "all"} ${credential ?? "good"}`) ??
    null
  );
}

const planOf = ({ overTokenLimit, windowSpent }: Faulty) =>
  overTokenLimit ? (windowSpent ? "free" : "hosting") : windowSpent ? "pro" : "enterprise";

async function ask(fault: Faulty): Promise<Answer> {
  const { db } = service.app;
  const account = fault.foreign ? admin : author;
  await db.write(changePlan, account.id, planOf(fault), service.app.clock());
  await db.write(verifyEmailOf, account.id, !fault.unverified);
  const members = { visibility: "public", ...fault.members };
  const body = fault.bytes === "no json" ? "{bad" : fault.bytes === "no object" ? [members] : members;
  const id = fault.absent ? service.app.secrets.newId(service.app.clock()) : reportOf(fault);
  return service.request("PATCH", `/api/v1/reports/${id}${fault.query ?? ""}`, {
    token: tokenOf(fault),
    body,
    headers: { "content-type": fault.contentType ?? "application/json" },
  });
}

/** Both faults in one request; null where they cannot meet (a token is not absent and expired). */
function together(one: Faulty, other: Faulty): Faulty | null {
  const shared = (Object.keys(one) as (keyof Faulty)[]).filter((key) => key in other);
  if (shared.some((key) => key !== "members")) return null;
  const members = { ...other.members, ...one.members };
  return { ...other, ...one, ...(Object.keys(members).length > 0 && { members }) };
}

describe("one fault", () => {
  it.each(faults)("[OUR-ERR-01] $fault is answered $error", async ({ error, fault }) => {
    expect((await ask(fault)).json["error"]).toBe(error);
  });
});

describe("two faults", () => {
  it("[OUR-ERR-01] [OUR-HTTP-05] of any two in one request the earlier is answered", async () => {
    let pairs = 0;
    const wrong: unknown[] = [];
    for (const [index, first] of faults.entries()) {
      for (const second of faults.slice(index + 1)) {
        const both = together(first.fault, second.fault);
        if (both === null) continue;
        pairs += 1;
        // Or the guard against guessing would answer instead.
        clock.advance(minuteMs);
        const { json } = await ask(both);
        if (json["error"] !== first.error) wrong.push([first.fault, second.fault, json["error"]]);
      }
    }
    console.log(`order of refusals: ${pairs} pairs of faults, ${wrong.length} answered with the later one`);
    expect(wrong).toEqual([]);
    expect(pairs).toBeGreaterThan(150);
  });
});
