/** Everything comes from the service that it describes. */
export interface Library {
  readonly references: readonly Reference[];
  readonly guides: readonly GuideText[];
}

/** A group of endpoints with its OpenAPI document. */
export interface Reference {
  /** The name in the address, such as `api` in `/docs/api`. */
  readonly name: string;
  /** The prefix of its routes, such as `/api/v1`. */
  readonly prefix: string;
  readonly document: OpenApi;
}

/** Markdown. */
export interface GuideText {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** Members beside a reference override its target's. Our documents have no circular references. */
export function withoutReferences(document: Readonly<Record<string, unknown>>): OpenApi {
  const components = document["components"] as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const resolved = new Map<string, unknown>();
  const target = (reference: string): unknown => {
    const [group = "", name = ""] = reference.split("/").slice(2);
    if (!resolved.has(reference)) resolved.set(reference, resolve(components[group]?.[name]));
    return resolved.get(reference);
  };
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== "object" || value === null) return value;
    const { $ref, ...beside } = value as Readonly<Record<string, unknown>>;
    const own = Object.fromEntries(Object.entries(beside).map(([key, member]) => [key, resolve(member)]));
    return typeof $ref === "string" ? { ...(target($ref) as object), ...own } : own;
  };
  // Sound: the document is our own, and a test renders every page.
  const { info, paths } = document as unknown as Omit<OpenApi, "paths"> & { readonly paths: WrittenPaths };
  const withDetails = ({ parameters, requestBody, responses, ...own }: Operation & OperationDetails) => {
    let details: OperationDetails | null = null;
    const resolved = () => resolve({ parameters, requestBody, responses }) as OperationDetails;
    return { ...own, details: () => (details ??= resolved()) };
  };
  return { info, paths: mapValues(paths, (operations) => mapValues(operations, withDetails)) };
}

type WrittenPaths = Readonly<Record<string, Readonly<Record<string, Operation & OperationDetails>>>>;

const mapValues = <V, W>(of: Readonly<Record<string, V>>, to: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, to(value)]));

/** The parts of an OpenAPI 3.1 document that the pages show. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly description: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly "x-required-scope"?: string;
  readonly "x-required-plan-feature"?: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly details: () => OperationDetails;
}

/** The members of an operation that contain references. */
export interface OperationDetails {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Response {
  readonly description: string;
  readonly content?: Content;
}

type Content = Readonly<
  Record<string, { readonly schema?: Schema; readonly example?: unknown; readonly examples?: unknown }>
>;

/** The parts of JSON Schema that our own documents use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
}
