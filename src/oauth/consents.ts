import type { AdapterPayload, Client, Provider } from "oidc-provider";
import type { SessionCaller } from "../contract/caller.ts";
import type { ConsentRequest, Consents } from "../contract/consents.ts";
import type { Door } from "../contract/door.ts";
import { connectorMs, type ConnectorClient, type OAuthRecord } from "../core/access/connector.ts";
import type { ApiToken } from "../core/access/account.ts";
import { scopes as allScopes, type Scope } from "../core/access/scope.ts";
import { notFound, Refusal } from "../core/errors.ts";
import { shownName } from "../core/text/plain-words.ts";
import { payloadOf } from "./adapter.ts";
import { paths } from "./paths.ts";
import { consentCookie } from "./provider.ts";

/** The longest name of a token, code points. */
const longestName = 80;

const kind = "Interaction";

/** A question that waits for its answer. */
interface Pending {
  readonly record: OAuthRecord;
  readonly payload: AdapterPayload;
  readonly client: ConnectorClient;
  readonly isKnownByHost: boolean;
  readonly redirect: URL;
  readonly scopes: readonly Scope[];
}

/** What a person answers a program that asks for a grant. */
export function consentsOf(door: Door, provider: () => Promise<Provider>): Consents {
  const pending = async (id: string, cookie: string | null): Promise<Pending> => {
    // Who leads somebody else's browser here would get what that person grants.
    if (cookie === null || cookie !== id) throw notFound();
    const record = await door.stores.connectors.find(kind, door.secrets.digest(id), door.clock());
    if (!record || record.consumedAt !== null) throw notFound();
    const payload = payloadOf(record, id);
    const { Client } = await provider();
    const client = await Client.find(textOf(payload, "client_id")).catch(() => undefined);
    if (!client) throw notFound();
    const redirect = new URL(textOf(payload, "redirect_uri"));
    const asked = new Set(textOf(payload, "scope").split(" "));
    return {
      record,
      payload,
      redirect,
      scopes: allScopes.filter((one) => asked.has(one)),
      ...told(client, redirect),
    };
  };

  const onward = (id: string): string => `${paths.authorize}/${id}`;

  return {
    cookie: consentCookie,
    find: async (id, cookie, { account }) => {
      const { client, isKnownByHost, redirect, scopes } = await pending(id, cookie);
      const activeTokens = await door.stores.connectors.countActive(account.id, door.clock());
      return { client, isKnownByHost, ...placeOf(redirect), scopes, activeTokens };
    },
    allow: async (id, cookie, person, chosen) => {
      const found = await pending(id, cookie);
      const scopes = found.scopes.filter((scope) => chosen.includes(scope));
      if (scopes.length === 0 || scopes.length !== new Set(chosen).size)
        throw new Refusal("validation_error", "Choose at least one of the permissions that are asked for.");
      await grant(door, person, found, scopes);
      return onward(id);
    },
    deny: async (id, cookie) => {
      const { record, payload } = await pending(id, cookie);
      const result = { error: "access_denied", error_description: "The person said no." };
      const answered = { ...record, payload: JSON.stringify({ ...payload, jti: undefined, result }) };
      await door.stores.connectors.put({ ...answered, consumedAt: door.clock() });
      return onward(id);
    },
  };
}

async function grant(
  { clock, secrets, stores }: Door,
  { account, limits }: SessionCaller,
  { record, payload, client }: Pending,
  scopes: readonly Scope[],
): Promise<void> {
  const now = clock();
  const token: ApiToken = {
    id: secrets.newId(now),
    accountId: account.id,
    name: client.name,
    kind: "connector",
    scopes,
    createdAt: now,
    // Redeemed, it lasts as long as what is issued for it; until then it holds a place for a moment only.
    expiresAt: now + connectorMs.unredeemed,
    revokedAt: null,
    lastUsedAt: null,
  };
  const result = { login: { accountId: account.id, remember: false }, consent: { grantId: token.id } };
  const outcome = await stores.connectors.consent({
    token,
    client,
    digest: secrets.digest(secrets.newSecret("api")),
    limit: limits.tokens,
    request: { ...record, payload: JSON.stringify({ ...payload, jti: undefined, result }) },
  });
  if (outcome === "answered") throw notFound();
  if (outcome === "limit") {
    const words = `The plan (${account.plan}) covers ${limits.tokens} active tokens, and all are in use. Revoke one in Settings, Security, or change the plan.`;
    throw new Refusal("limit_reached", words, { limit: limits.tokens });
  }
}

/** What is known of a program: its document's host vouches for it, a registration is its own word. */
function told(client: Client, redirect: URL): Pick<Pending, "client" | "isKnownByHost"> {
  const isKnownByHost = /^https:\/\//i.test(client.clientId);
  const host = isKnownByHost ? new URL(client.clientId).host : placeOf(redirect).redirectHost;
  const name = Array.from(shownName(client.clientName ?? ""))
    .slice(0, longestName)
    .join("")
    .trim();
  return { isKnownByHost, client: { id: client.clientId, name: name || host.slice(0, longestName), host } };
}

const plainOrigin = /^https?:\/\/[a-z0-9.-]+(?::[0-9]{1,5})?$/;

/** Where a redirect leads, for people and for the page's policy, which takes schemes and plain origins alone. */
function placeOf({ protocol, host, origin }: URL): Pick<ConsentRequest, "redirectHost" | "formTarget"> {
  const isWeb = protocol === "https:" || protocol === "http:";
  return { redirectHost: isWeb ? host : protocol, formTarget: plainOrigin.test(origin) ? origin : protocol };
}

function textOf({ params }: AdapterPayload, name: string): string {
  const value = params?.[name];
  if (typeof value !== "string") throw notFound();
  return value;
}
