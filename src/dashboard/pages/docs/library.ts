/** What the documentation is made of: it describes the service it is served by, so it comes from there. */
export interface Library {
  readonly references: readonly Reference[];
  readonly guides: readonly GuideText[];
}

/** A group of endpoints, described by its OpenAPI document. */
export interface Reference {
  /** In the address, `/docs/api`. */
  readonly name: string;
  /** Where its routes begin, `/api/v1`. */
  readonly prefix: string;
  readonly document: OpenApi;
}

/** One of our guides, Markdown. */
export interface GuideText {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

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

/** JSON Schema, as far as our own documents use it. */
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
