import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import { errorStatus } from "../../core/errors.ts";
import { bodySchema, operation, pascalName, sharedParameters } from "./operation.ts";
import { errorResponses, headerSchemas } from "./responses.ts";
import { namedOutputs, usedIn } from "./schemas.ts";

export interface DocumentInfo {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly serverUrl: string;
}

type Json = Record<string, unknown>;

/** Schemas and errors are named components, so that generated clients have named types. */
export function openApiDocument(info: DocumentInfo, endpoints: readonly Endpoint[]): Json {
  const paths: Record<string, Json> = {};
  const isApi = endpoints.some(({ access }) => access.face === "api");
  const outputs = namedOutputs(endpoints);
  const shared = sharedParameters(endpoints);
  for (const endpoint of endpoints) {
    const described = operation(endpoint, outputs.referenceTo(endpoint.output), shared);
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: described };
  }
  const requests = endpoints.flatMap((endpoint) => {
    const schema = bodySchema(endpoint);
    return schema ? [[`${pascalName(endpoint)}Request`, schema] as const] : [];
  });
  return {
    openapi: "3.1.0",
    info: { title: info.title, version: info.version, description: info.description },
    servers: [{ url: info.serverUrl }],
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: { ...usedIn(paths, outputs.schemas), ...Object.fromEntries(requests), Error: errorSchema },
      parameters: shared.components,
      responses: usedIn(paths, errorResponses(isApi)),
      headers: headerSchemas(isApi),
    },
  };
}
const errorSchema = {
  type: "object",
  description: "A stable code for programs, a message for people, and more members for some codes.",
  properties: {
    error: { type: "string", enum: Object.keys(errorStatus) },
    message: { type: "string" },
    allowed_fields: { type: "array", items: { type: "string" } },
    required_scope: { type: "string" },
    field: { type: "string" },
    path: { type: "string" },
    limit: { type: "integer" },
    job_id: { type: "string" },
    server_id: { type: "string" },
    request_id: { type: "string" },
  },
  required: ["error", "message"],
};
