import { alertRuleOfAccount } from "../../store/alert/alert-rules.ts";
import { alertOfAccount } from "../../store/alert/alerts.ts";
import { selectServers } from "../../store/server/servers.ts";
import { serversMeant, serversNear, type Named } from "../../core/server/server-name.ts";
import { authenticateApi, requireCovered } from "../call/authenticate.ts";
import type { TokenCaller } from "../call/caller.ts";
import type { AppContext, Credentials } from "../call/app-context.ts";

export const namedKinds = ["server", "alert_rule", "alert"] as const;
/** An alert has the name of its rule. */
export type NamedKind = (typeof namedKinds)[number];

/** More servers than any account can link. */
const everyServer = 10_000;

/** What is found by a text: what it names, or servers whose names are near it. */
export type Closeness = "exact" | "near";

/**
 * The caller's own resources with this id, or servers with this name, or one near it; admins also find only
 * their own. Uncounted, because it accompanies a counted call. Throws Refusal for a bad credential.
 */
export async function findNamed(
  app: AppContext,
  credentials: Credentials,
  kind: NamedKind,
  text: string,
  closeness: Closeness = "exact",
): Promise<readonly Named[]> {
  const caller = await authenticateApi(app, credentials, app.clock());
  if (caller.kind !== "token") return [];
  requireCovered(caller);
  if (!mayKnow(caller, kind)) return [];
  const { db } = app;
  const { id: account } = caller.account;
  if (kind === "server") {
    const viewer = { accountId: account, admin: false };
    const own = await db.read(selectServers, viewer, { verified: null, ownerId: account }, null, everyServer);
    const found = closeness === "near" ? serversNear(own, text) : serversMeant(own, text);
    return found.map(({ id, name }) => ({ id, name }));
  }
  if (kind === "alert_rule") {
    const rule = await db.read(alertRuleOfAccount, text, account);
    return rule === null ? [] : [{ id: rule.id, name: rule.name }];
  }
  const alert = await db.read(alertOfAccount, text, account);
  return alert === null ? [] : [{ id: alert.id, name: alert.ruleName }];
}

/** Rules and alerts need a monitoring scope; any scope is enough for servers. */
const mayKnow = ({ scopes }: TokenCaller, kind: NamedKind): boolean =>
  kind === "server" ? scopes.length > 0 : scopes.some((scope) => scope.startsWith("monitoring:"));
