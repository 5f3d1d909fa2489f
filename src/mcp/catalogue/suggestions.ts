import type { NamedKind } from "../../contract/endpoint/find-named.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Endpoint } from "../../contract/endpoint/endpoint.ts";

/** A list from which ids are suggested to a person who is typing one. */
export interface Suggestions<E extends Outline = Endpoint> {
  readonly endpoint: E;
  readonly input: Readonly<Record<string, unknown>>;
  /** The member of a row that is suggested. */
  readonly value: string;
  /** The kind of resource that the value identifies, if it has names. */
  readonly kind?: NamedKind;
  /** Members by which a person knows a row; the typed text is searched in all of them. */
  readonly knownBy: readonly string[];
  /** By argument: the member that must equal the argument's value. */
  readonly within?: Readonly<Record<string, string>>;
}
