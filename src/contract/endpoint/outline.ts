import type { IdForm } from "../../core/id-form.ts";
import type { Access, Method } from "./endpoint.ts";
import type { JsonSchema } from "./json-schema.ts";

/** An input field, as far as a call has to know it to write it. */
export interface OutlineField {
  readonly name: string;
  readonly place: "path" | "query" | "body";
  readonly json: Pick<JsonSchema, "type">;
  /** Set where the field names the resource the call is about. */
  readonly resource: { readonly form: IdForm } | null;
  /** Whether it takes an instant. */
  readonly isInstant: boolean;
}

/** What has to be known of an endpoint to call it from elsewhere and to tell of its answers: plain data, no schema. */
export interface Outline {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly access: Access;
  readonly fields: ReadonlyMap<string, OutlineField>;
  readonly bodyFields: readonly string[];
}
