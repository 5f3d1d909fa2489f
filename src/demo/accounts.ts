import { addAccount } from "../services/access/add-account.ts";
import { addToken } from "../services/access/add-token.ts";
import type { Account } from "../core/access/account.ts";
import { scopes } from "../core/access/scope.ts";
import { dayMs, type Instant } from "../core/time.ts";
import type { AppContext } from "../contract/call/app-context.ts";
import { hashPassword, newPassword } from "../app/access/passwords.ts";
import { accountSpecs } from "./fleet.ts";
import type { AccountName } from "./server-spec.ts";

const tokenLifetimeMs = 90 * dayMs;

/** Age of accounts and of their servers' links: longer ago than anything that these sent, ms. */
export const memberMs = 60 * dayMs;

/** An account with its password and token, of which the database has only hashes. */
export interface DemoAccount {
  readonly name: AccountName;
  readonly account: Account;
  readonly password: string;
  readonly token: string;
}

/** Each account has a verified address, a password and one API token with every scope. */
export const makeAccounts = (app: AppContext, now: Instant): Promise<DemoAccount[]> =>
  Promise.all(accountSpecs.map((spec) => makeAccount(app, spec, now)));

async function makeAccount(
  { db, secrets, plans }: AppContext,
  { name, plan, role }: (typeof accountSpecs)[number],
  now: Instant,
): Promise<DemoAccount> {
  const email = `${name}@demo.tickmark.example`;
  const account: Account = {
    id: secrets.newId(now),
    email,
    emailVerified: true,
    plan,
    role,
    createdAt: now - memberMs,
  };
  const password = newPassword();
  if (!(await db.write(addAccount, account, await hashPassword(password)))) {
    throw new Error(`${email} exists already.`);
  }
  const token = secrets.newSecret("api");
  const described = {
    id: secrets.newId(now),
    accountId: account.id,
    name: "Demo",
    kind: "token" as const,
    scopes,
    createdAt: now,
    expiresAt: now + tokenLifetimeMs,
    revokedAt: null,
    lastUsedAt: null,
  };
  if (!(await db.write(addToken, described, secrets.digest(token), plans[plan].tokens))) {
    throw new Error(`The plan ${plan} allows no API token.`);
  }
  return { name, account, password, token };
}
