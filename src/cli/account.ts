import type { Database } from "../store/engine/database.ts";
import { changeRole } from "../services/access/change-role.ts";
import { selectAccounts, selectAccountByEmail } from "../store/access/accounts.ts";
import { verifyEmailOf } from "../services/access/verify-email-of.ts";
import { addAccount } from "../services/access/add-account.ts";
import { switchPlan } from "../services/access/switch-plan.ts";
import { replacePassword } from "../services/access/replace-password.ts";
import { systemSecrets } from "../app/access/secrets.ts";
import type { Config } from "../app/config/config.ts";
import type { Account } from "../core/access/account.ts";
import { planNames, PlanName } from "../core/access/plan.ts";
import { roles, Role } from "../core/access/scope.ts";
import { toTimestamp } from "../core/time.ts";
import { hashPassword, newPassword } from "../app/access/passwords.ts";
import { forgetPasswordTries } from "../contract/limits/attempt-limits.ts";
import { operatorsAct } from "./operators-act.ts";
import { CommandError, exitStatus, printResult } from "./output.ts";
import { withDatabase } from "./with-database.ts";

const shown = ({ id, email, emailVerified, plan, role, createdAt }: Account) => ({
  id,
  email,
  email_verified: emailVerified,
  plan,
  role,
  created_at: toTimestamp(createdAt),
});

const wordsOf = (account: Account): string =>
  `${account.id}  ${account.email}  ${account.plan}  ${account.role}  ${account.emailVerified ? "verified" : "not verified"}`;

interface CreateOptions {
  readonly email: string;
  /** Left out: enterprise for an administrator, whose service it is, else free. */
  readonly plan?: string;
  readonly admin: boolean;
  readonly json: boolean;
}

/** Checks the form only; the confirmation mail proves the address. */
const emailForm = /^[^\s@]{1,64}@[^\s@]{1,190}$/;

/** The password is shown once. Tokens are made in the browser. */
export async function createAccount(
  config: Config,
  { email, plan, admin, json }: CreateOptions,
): Promise<void> {
  if (!emailForm.test(email))
    throw new CommandError(
      `--email takes an address such as you@example.org, not ${JSON.stringify(email)}.`,
      exitStatus.usage,
    );
  const now = Date.now();
  const account: Account = {
    id: systemSecrets().newId(now),
    email: email.toLowerCase(),
    emailVerified: admin,
    plan: planFrom(plan ?? (admin ? "enterprise" : "free")),
    role: admin ? "admin" : "user",
    createdAt: now,
  };
  const password = newPassword();
  const made = await withDatabase(config, async (db) =>
    db.write(addAccount, account, await hashPassword(password), operatorsAct()),
  );
  if (!made)
    throw new CommandError(
      `There is an account for ${account.email} already. account list shows the accounts.`,
    );
  printResult(json, { ...shown(account), password }, [wordsOf(account), `Password, shown once: ${password}`]);
}

export async function printAccounts(config: Config, { json }: { json: boolean }): Promise<void> {
  const accounts = await withDatabase(config, (db) => db.read(selectAccounts));
  printResult(json, accounts.map(shown), accounts.map(wordsOf));
}

export interface ChangeOptions {
  readonly email: string;
  readonly json: boolean;
}

export const setPlan = (config: Config, options: ChangeOptions & { plan: string }): Promise<void> =>
  changeAccount(config, options, (db, { id }) => {
    const change = { accountId: id, plan: planFrom(options.plan), plans: config.plans, now: Date.now() };
    return db.write(switchPlan, change, operatorsAct());
  });

export const setRole = (config: Config, options: ChangeOptions & { role: string }): Promise<void> =>
  changeAccount(config, options, async (db, { id }) => {
    if ((await db.write(changeRole, id, roleFrom(options.role), Date.now(), operatorsAct())) === "last_admin")
      throw new CommandError(
        "This is the last admin account, and the service needs one. Make another account an admin first: account set-role ADDRESS admin.",
      );
  });

export const markEmailVerified = (config: Config, options: ChangeOptions): Promise<void> =>
  changeAccount(config, options, (db, { id }) => db.write(verifyEmailOf, id, true, operatorsAct()));

/** Shows the new password once, and signs every browser of the account out. */
export async function printNewPassword(config: Config, options: ChangeOptions): Promise<void> {
  const password = newPassword();
  const account = await changed(config, options.email, async (db, { id, email }) => {
    await db.write(replacePassword, id, await hashPassword(password), null, operatorsAct());
    await forgetPasswordTries({ id, email }, { db, secrets: systemSecrets() });
  });
  printResult(options.json, { ...shown(account), password }, [
    wordsOf(account),
    `Password, shown once: ${password}`,
  ]);
}

export async function changeAccount(
  config: Config,
  { email, json }: ChangeOptions,
  apply: (db: Database, account: Account) => Promise<void>,
): Promise<void> {
  const account = await changed(config, email, apply);
  printResult(json, shown(account), [wordsOf(account)]);
}

/** Returns the account after `apply`. */
const changed = (
  config: Config,
  email: string,
  apply: (db: Database, account: Account) => Promise<void>,
): Promise<Account> =>
  withDatabase(config, async (db) => {
    await apply(db, await accountOf(db, email));
    return accountOf(db, email);
  });

export async function accountOf(db: Database, email: string): Promise<Account> {
  const account = await db.read(selectAccountByEmail, email);
  if (account) return account;
  throw new CommandError(`No account has the address ${JSON.stringify(email)}. account list shows them.`);
}

function planFrom(text: string): Account["plan"] {
  const plan = PlanName.safeParse(text);
  if (!plan.success) throw new CommandError(`A plan is one of ${planNames.join(", ")}.`, exitStatus.usage);
  return plan.data;
}

function roleFrom(text: string): Account["role"] {
  const role = Role.safeParse(text);
  if (!role.success) throw new CommandError(`A role is one of ${roles.join(", ")}.`, exitStatus.usage);
  return role.data;
}
