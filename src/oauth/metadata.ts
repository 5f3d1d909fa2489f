import { readScopes, scopes } from "../core/access/scope.ts";
import { issuerOf, paths, resourceOf } from "./paths.ts";

/** RFC 8414; nothing that this service does not support. */
export function serverMetadata(baseUrl: string, clientDocuments: boolean): Readonly<Record<string, unknown>> {
  const issuer = issuerOf(baseUrl);
  return {
    issuer,
    authorization_endpoint: issuer + paths.authorize,
    token_endpoint: issuer + paths.token,
    registration_endpoint: issuer + paths.register,
    revocation_endpoint: issuer + paths.revoke,
    scopes_supported: scopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: clientDocuments,
    service_documentation: `${issuer}/docs`,
  };
}

/** RFC 9728. Only the read scopes: a program without other instructions requests all that are listed. */
export const resourceMetadata = (baseUrl: string): Readonly<Record<string, unknown>> => ({
  resource: resourceOf(baseUrl),
  authorization_servers: [issuerOf(baseUrl)],
  scopes_supported: readScopes,
  bearer_methods_supported: ["header"],
  resource_name: "Tickmark",
  resource_documentation: `${issuerOf(baseUrl)}/docs`,
});
