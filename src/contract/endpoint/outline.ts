import type { IdForm } from "../../core/id-form.ts";
import type { Access, HttpMethod } from "./endpoint.ts";
import type { JsonSchema } from "./json-schema.ts";

export interface OutlineField {
  readonly name: string;
  readonly place: "path" | "query" | "body";
  readonly json: Pick<JsonSchema, "type">;
  /** Whether null is a value of the field, and not the same as leaving it out. */
  readonly hasOwnNull: boolean;
  /** Set if the field names the resource that the call is about. */
  readonly resource: { readonly form: IdForm } | null;
  readonly isInstant: boolean;
}

/** An endpoint without schemas and handler: enough to call it over REST. */
export interface Outline {
  readonly id: string;
  readonly method: HttpMethod;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly access: Access;
  readonly fields: ReadonlyMap<string, OutlineField>;
  readonly bodyFields: readonly string[];
}
