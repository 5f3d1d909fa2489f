import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import type { Wording } from "./wording.ts";

/** On a description of the calling token: the rights that its account could give it and it does not have. */
export function rightsNotes(value: unknown, { notes }: Wording): readonly string[] {
  if (!isJsonObject(value)) return [];
  const { scopes: held, available_scopes: available } = value;
  if (!Array.isArray(held) || !Array.isArray(available)) return [];
  const missing = available.filter(
    (scope): scope is string => typeof scope === "string" && !held.includes(scope),
  );
  return missing.length === 0 ? [] : [notes.rightsMissing(missing)];
}
