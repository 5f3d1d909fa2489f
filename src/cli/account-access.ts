import { neutralise } from "../core/text/neutralise.ts";
import { toTimestamp } from "../core/time.ts";
import { accountDeleted, tokenRevoked } from "../core/service-log/entries.ts";
import { changeRole } from "../services/access/change-role.ts";
import { removeAccount } from "../services/access/remove-account.ts";
import { takeSecondFactorOff } from "../services/access/switch-second-factor.ts";
import { openFactorOf } from "../services/access/try-factor.ts";
import { revokeTokenOfAccount } from "../services/access/revoke-token.ts";
import { logAct } from "../services/service-log/log-act.ts";
import { selectTokens } from "../store/access/tokens.ts";
import type { ListedToken } from "../core/access/account.ts";
import type { Config } from "../app/config/config.ts";
import { accountOf, changeAccount, type ChangeOptions } from "./account.ts";
import { operatorsAct } from "./operators-act.ts";
import { CommandError, exitStatus, printResult } from "./output.ts";
import { withDatabase } from "./with-database.ts";

const lastAdmin = (): CommandError =>
  new CommandError(
    "This is the last admin account, and the service needs one. Make another account an admin first: account set-role ADDRESS admin.",
  );

/** Signs the account out everywhere and refuses its tokens and sign-ins, until it is enabled. */
export const disableAccount = (config: Config, options: ChangeOptions): Promise<void> =>
  changeAccount(config, options, async (db, { id }) => {
    if ((await db.write(changeRole, id, "suspended", Date.now(), operatorsAct())) === "last_admin")
      throw lastAdmin();
  });

/** A disabled admin becomes an ordinary user, and is not an admin again. */
export const enableAccount = (config: Config, options: ChangeOptions): Promise<void> =>
  changeAccount(config, options, async (db, { id, role }) => {
    if (role === "suspended") await db.write(changeRole, id, "user", Date.now(), operatorsAct());
  });

/** For users who lost the second factor and the recovery codes. Signs every browser out. */
export const resetSecondFactor = (config: Config, options: ChangeOptions): Promise<void> =>
  changeAccount(config, options, async (db, { id }) => {
    if (!(await db.write(takeSecondFactorOff, id, operatorsAct())))
      throw new CommandError("The account has no second factor.");
  });

/** Accepts codes again that wrong codes closed, for users whom no mail reaches. */
export const openSecondFactor = (config: Config, options: ChangeOptions): Promise<void> =>
  changeAccount(config, options, async (db, { id }) => {
    if (!(await db.write(openFactorOf, id, operatorsAct())))
      throw new CommandError("Codes of this account are not closed.");
  });

export async function deleteAccountOf(
  config: Config,
  { email, yes, json }: ChangeOptions & { readonly yes: boolean },
): Promise<void> {
  if (!yes)
    throw new CommandError(
      "This deletes the account with its servers, measurements and reports, for ever. Add --yes to do it.",
      exitStatus.usage,
    );
  await withDatabase(config, async (db) => {
    const { id } = await accountOf(db, email);
    const now = Date.now();
    if (!(await removeAccount(db, id, now))) throw lastAdmin();
    await db.write(logAct, operatorsAct(now), accountDeleted(id));
  });
  printResult(json, { email, deleted: true }, [`The account ${email} was deleted.`]);
}

const shownToken = ({ id, name, kind, scopes, client, createdAt, expiresAt, lastUsedAt }: ListedToken) => ({
  id,
  name,
  kind,
  client: client?.name ?? null,
  scopes,
  created_at: toTimestamp(createdAt),
  expires_at: toTimestamp(expiresAt),
  last_used_at: lastUsedAt === null ? null : toTimestamp(lastUsedAt),
});

/** Names are other people's text, so nothing hidden in them may reach a terminal. */
const wordsOfToken = (token: ListedToken): string => {
  const { id, kind, name, lastUsedAt } = token;
  const used = lastUsedAt === null ? "never used" : `last used ${toTimestamp(lastUsedAt)}`;
  return `${id}  ${kind}  ${neutralise(name, 80).text}  ${used}`;
};

export async function printTokens(config: Config, { email, json }: ChangeOptions): Promise<void> {
  const tokens = await withDatabase(config, async (db) =>
    db.read(selectTokens, (await accountOf(db, email)).id, Date.now()),
  );
  const words = tokens.length === 0 ? ["The account has no token."] : tokens.map(wordsOfToken);
  printResult(json, tokens.map(shownToken), words);
}

export async function revokeTokenById(
  config: Config,
  { email, id, json }: ChangeOptions & { readonly id: string },
): Promise<void> {
  await withDatabase(config, async (db) => {
    const account = await accountOf(db, email);
    const now = Date.now();
    if (!(await db.write(revokeTokenOfAccount, account.id, id, now)))
      throw new CommandError(
        `The account has no token ${JSON.stringify(id)}. token list ADDRESS shows them.`,
      );
    await db.write(logAct, operatorsAct(now), tokenRevoked(id, account.id));
  });
  printResult(json, { id, revoked: true }, [`The token ${id} was revoked. It is refused from now on.`]);
}
