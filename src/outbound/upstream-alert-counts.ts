import { isJsonObject } from "../contract/endpoint/json-body.ts";
import type { AlertCounts } from "../core/alert/alert-list-input.ts";
import { isFullId } from "../core/id-form.ts";

/** Null if the answer has another form. */
export function alertCountsIn(value: unknown): AlertCounts | null {
  if (!isJsonObject(value) || !isJsonObject(value["data"])) return null;
  const { alerts, rules } = value["data"];
  if (!isCount(alerts) || !Array.isArray(rules) || !rules.every(isRule)) return null;
  return { alerts, rules };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value);

const isRule = (row: unknown): row is AlertCounts["rules"][number] =>
  isJsonObject(row) && typeof row["ruleId"] === "string" && isFullId(row["ruleId"]) && isCount(row["alerts"]);
