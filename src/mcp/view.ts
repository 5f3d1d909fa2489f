import type { Endpoint } from "../contract/endpoint.ts";
import { thirdPartyPlan, type ThirdPartyPlan } from "../core/text/third-party-value.ts";

/** What the tables say about an endpoint's answers, in words. */
export interface ViewWords {
  /** Names of the tools that list the ids this one takes. */
  readonly lists?: readonly string[];
  /** Why the list can be empty when no filter was sent. */
  readonly whenEmpty?: string;
}

/** How the answers of one endpoint are shown to a model. */
export interface View extends ViewWords {
  readonly endpoint: Endpoint;
  readonly thirdParty: ThirdPartyPlan;
  /** True for answers that are a page of rows. */
  readonly isList: boolean;
  /** The largest `limit` the endpoint takes; null where it takes none. */
  readonly largestLimit: number | null;
  /** Names of the fields that narrow a list. */
  readonly filters: readonly string[];
}

const paging = new Set(["limit", "cursor"]);

export function viewOf(endpoint: Endpoint, { lists, whenEmpty }: ViewWords): View {
  if (endpoint.access.face !== "api") throw new TypeError(`${endpoint.id} is not an endpoint of the API.`);
  const fields = [...endpoint.fields.values()];
  const { example } = endpoint;
  return {
    endpoint,
    thirdParty: thirdPartyPlan(endpoint.output),
    isList: isPage(example.output),
    largestLimit: endpoint.fields.get("limit")?.json.maximum ?? null,
    filters: fields
      .filter(({ name, place }) => place === "query" && !paging.has(name))
      .map(({ name }) => name),
    ...(lists && { lists }),
    ...(whenEmpty !== undefined && { whenEmpty }),
  };
}

/** A page as every list endpoint answers it. */
export interface ShownPage {
  readonly data: readonly unknown[];
  readonly page: { readonly cursor: string | null; readonly has_more: boolean };
}

export const isPage = (value: unknown): value is ShownPage =>
  typeof value === "object" &&
  value !== null &&
  "data" in value &&
  Array.isArray(value.data) &&
  "page" in value;
