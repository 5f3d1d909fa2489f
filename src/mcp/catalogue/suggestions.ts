import type { NamedKind } from "../../contract/endpoint/find-named.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Endpoint } from "../../contract/endpoint/endpoint.ts";

/** Where an id that a person is about to type may come from: a list the caller may see. */
export interface Suggestions<E extends Outline = Endpoint> {
  readonly endpoint: E;
  readonly input: Readonly<Record<string, unknown>>;
  /** The member of a row that is the value. */
  readonly value: string;
  /** What the value is the id of, where that has a name. */
  readonly kind?: NamedKind;
  /** Members a person knows a row by: what was typed may stand in any of them. */
  readonly knownBy: readonly string[];
  /** Members that have to equal what other arguments hold, by the arguments' names. */
  readonly within?: Readonly<Record<string, string>>;
}
