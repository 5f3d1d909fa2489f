import { selectOAuthRecord } from "../store/access/oauth-records.ts";
import type { AdapterPayload, Client, Provider } from "oidc-provider";
import type { SessionCaller } from "../contract/call/caller.ts";
import type { AnsweredRequest, ConsentRequest } from "../contract/call/consents.ts";
import type { AppContext } from "../contract/call/app-context.ts";
import type { ConnectorClient, OAuthRecord } from "../core/access/connector.ts";
import { scopes as allScopes, type Scope } from "../core/access/scope.ts";
import { notFound } from "../core/errors.ts";
import { shownName } from "../core/text/plain-words.ts";
import { payloadOf } from "./adapter.ts";
import { paths, requestKinds } from "./paths.ts";

/** The longest name of a token, code points. */
const longestName = 80;

export interface Waiting {
  readonly record: OAuthRecord;
  readonly payload: AdapterPayload;
  readonly client: ConnectorClient;
  readonly isKnownByHost: boolean;
  readonly redirect: URL;
  readonly scopes: readonly Scope[];
}

/** The part of an answer that this service keeps; the library keeps the rest. */
interface Answer {
  readonly accountId: string;
  readonly client: ConnectorClient;
  readonly isAllowed: boolean;
}

type Found =
  | { readonly waiting: Waiting; readonly answered: null }
  | { readonly waiting: null; readonly answered: AnsweredRequest };

/** Only the browser that made a request finds it; once answered, only the person who answered it. */
export const requestFinder =
  (app: AppContext, provider: () => Promise<Provider>) =>
  async (id: string, cookie: string | null, { account }: SessionCaller): Promise<Found> => {
    // Otherwise, someone who leads another person here would get what that person grants.
    if (cookie === null || cookie !== id) throw notFound();
    const record = await recordOf(app, id);
    if (!record) throw notFound();
    const payload = payloadOf(record, id);
    const redirect = new URL(textOf(payload, "redirect_uri"));
    if (record.consumedAt !== null || record.kind === requestKinds.fetched) {
      const answer = payload["answer"] as Answer | undefined;
      if (answer?.accountId !== account.id) throw notFound();
      const redirectTo = record.kind === requestKinds.fetched ? null : resumePath(id);
      const { client, isAllowed } = answer;
      return { waiting: null, answered: { client, isAllowed, redirectTo, isExternal: isWeb(redirect) } };
    }
    const { Client } = await provider();
    const client = await Client.find(textOf(payload, "client_id")).catch(() => undefined);
    if (!client) throw notFound();
    const requested = new Set(textOf(payload, "scope").split(" "));
    const scopes = allScopes.filter((one) => requested.has(one));
    return {
      answered: null,
      waiting: { record, payload, redirect, scopes, ...clientView(client, redirect) },
    };
  };

async function recordOf({ db, secrets, clock }: AppContext, id: string): Promise<OAuthRecord | null> {
  const digest = secrets.digest(id);
  const found = await db.read(selectOAuthRecord, requestKinds.open, digest, clock());
  return found ?? db.read(selectOAuthRecord, requestKinds.fetched, digest, clock());
}

/** `result` is for the library, `answer` for the page of the request. */
export function answeredBy(
  { record, payload, client }: Waiting,
  accountId: string,
  result: Readonly<Record<string, unknown>>,
  now: number,
): OAuthRecord {
  const answer: Answer = { accountId, client, isAllowed: !("error" in result) };
  return {
    ...record,
    payload: JSON.stringify({ ...payload, jti: undefined, result, answer }),
    consumedAt: now,
  };
}

/** The request as if it had asked for these scopes: its tokens then have them, and say so. */
export const withScopes = (waiting: Waiting, scopes: readonly Scope[]): Waiting => ({
  ...waiting,
  payload: { ...waiting.payload, params: { ...waiting.payload.params, scope: scopes.join(" ") } },
});

export const resumePath = (id: string): string => `${paths.authorize}/${id}`;

/** The host of a metadata document vouches for a program; a registration is the program's own claim. */
function clientView(client: Client, redirect: URL): Pick<Waiting, "client" | "isKnownByHost"> {
  const isKnownByHost = /^https:\/\//i.test(client.clientId);
  const host = isKnownByHost ? new URL(client.clientId).host : placeOf(redirect).redirectHost;
  const name = Array.from(shownName(client.clientName ?? ""))
    .slice(0, longestName)
    .join("")
    .trim();
  return { isKnownByHost, client: { id: client.clientId, name: name || host.slice(0, longestName), host } };
}

const plainOrigin = /^https?:\/\/[a-z0-9.-]+(?::[0-9]{1,5})?$/;

export const isWeb = ({ protocol }: URL): boolean => protocol === "https:" || protocol === "http:";

/** For people, and for the page's policy, which takes only schemes and plain origins. */
export function placeOf(redirect: URL): Pick<ConsentRequest, "redirectHost" | "formTarget"> {
  const { protocol, host, origin } = redirect;
  if (!isWeb(redirect)) return { redirectHost: protocol, formTarget: null };
  return { redirectHost: host, formTarget: plainOrigin.test(origin) ? origin : protocol };
}

function textOf({ params }: AdapterPayload, name: string): string {
  const value = params?.[name];
  if (typeof value !== "string") throw notFound();
  return value;
}
