import { isJsonObject } from "../contract/endpoint/json-body.ts";
import { isFullId } from "../core/id-form.ts";
import type { Named } from "../core/server/server-name.ts";

/** Null if the answer has another form. */
export function namedIn(value: unknown): readonly Named[] | null {
  if (!isJsonObject(value) || !Array.isArray(value["data"])) return null;
  const found = value["data"].filter(isNamed);
  return found.length === value["data"].length ? found : null;
}

const isNamed = (row: unknown): row is Named =>
  isJsonObject(row) &&
  typeof row["id"] === "string" &&
  isFullId(row["id"]) &&
  (row["name"] === null || typeof row["name"] === "string");
