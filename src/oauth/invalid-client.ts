import { selectOAuthRecord } from "../store/access/oauth-records.ts";
import { selectGrant } from "../store/access/connectors.ts";
import { updateTokenRevoked } from "../store/access/tokens.ts";
import type * as library from "oidc-provider";
import type { Provider, TokenEndpointGrantContext } from "oidc-provider";
import type { AppContext } from "../contract/call/app-context.ts";

type Library = Pick<typeof library, "Provider" | "errors">;

/** The library looks nothing up before all of these parameters are present. */
const credentialsOfGrants: Readonly<
  Record<string, { readonly kind: string; readonly parameters: readonly string[] }>
> = {
  authorization_code: { kind: "AuthorizationCode", parameters: ["code", "redirect_uri"] },
  refresh_token: { kind: "RefreshToken", parameters: ["refresh_token"] },
};

/**
 * A code or refresh token that is presented wrongly (by another program, without its verifier, for another
 * redirect or resource) may be stolen, so its grant is revoked before the refusal is answered. A request for
 * more scopes and a failure of this service are no sign of that.
 */
export function strictProvider(
  { Provider: Base, errors }: Library,
  app: AppContext,
  addressOf: (context: TokenEndpointGrantContext<object>) => string | null,
): typeof Provider {
  const isSuspect = (error: unknown): boolean =>
    error instanceof errors.OIDCProviderError && error.expose && !(error instanceof errors.InvalidScope);

  return class extends Base {
    override registerGrantType<P extends object>(
      name: string,
      handler: (context: TokenEndpointGrantContext<P>) => Promise<void> | void,
      ...rest: (string | readonly string[] | ReadonlySet<string> | undefined)[]
    ): void {
      const strict: typeof handler = async (context) => {
        try {
          await handler(context);
        } catch (error) {
          if (isSuspect(error)) await revokeGrant(app, name, context.oidc.params, addressOf(context));
          throw error;
        }
      };
      const [params, duplicates] = rest;
      super.registerGrantType(name, strict, params, duplicates);
    }
  };
}

async function revokeGrant(
  { db, secrets, clock, security }: AppContext,
  type: string,
  params: Readonly<Record<string, unknown>>,
  address: string | null,
): Promise<void> {
  const { kind, parameters } = credentialsOfGrants[type] ?? { kind: "", parameters: [] };
  const [secret] = parameters.map((name) => params[name]);
  if (typeof secret !== "string" || parameters.some((name) => params[name] === undefined)) return;
  const record = await db.read(selectOAuthRecord, kind, secrets.digest(secret), clock());
  const grant = record?.grantId ? await db.read(selectGrant, record.grantId, clock()) : null;
  const whose = { accountId: grant?.accountId ?? null, tokenId: grant?.id ?? null };
  const detail = type === "refresh_token" ? "refresh token" : "authorization code";
  security.note({ kind: "credential_refused", address, ...whose, detail }, clock());
  if (record?.grantId) await db.write(updateTokenRevoked, record.grantId, clock());
}
