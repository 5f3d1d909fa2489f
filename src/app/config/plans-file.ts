import { readFileSync } from "node:fs";
import type { z } from "zod";
import { ConfigError } from "./connector-config.ts";
import {
  largestLimit,
  limitNames,
  planNames,
  PlanOverrides,
  withOverrides,
  type Plans,
} from "../../core/access/plan.ts";
import { nearestName } from "../../core/nearest-name.ts";
import { failureCode } from "../../core/failure-code.ts";

/** Throws ConfigError with every mistake in the file and its place. */
export function readPlansFile(path: string): Plans {
  const read = PlanOverrides.safeParse(json(path, text(path)));
  if (read.success) return withOverrides(read.data);
  throw wrong(path, read.error.issues.flatMap(mistakesOf).join("; "));
}

const wrong = (path: string, mistake: string): ConfigError =>
  new ConfigError(
    "TICKMARK_PLANS",
    "the path of a JSON file that maps plans to limits",
    `: ${path}: ${mistake}`,
  );

function text(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = failureCode(error);
    const why =
      code === "ENOENT"
        ? "there is no such file"
        : code === "EACCES"
          ? "this user may not read it"
          : `it cannot be read (${String(code)})`;
    throw wrong(path, why);
  }
}

function json(path: string, written: string): unknown {
  try {
    return JSON.parse(written) as unknown;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw wrong(path, `it is no JSON, ${placeIn(written, message)}`);
  }
}

/** Versions of Node.js word the error differently, but all name the position. */
function placeIn(written: string, message: string): string {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  const before = written.slice(0, position === undefined ? written.length : Number(position)).split("\n");
  return `from line ${before.length}, column ${(before.at(-1) ?? "").length + 1} on`;
}

/** A place is a path such as `pro.daily_calls`. */
function mistakesOf(issue: z.core.$ZodIssue): string[] {
  const place = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => {
      const [known, what] = place === "" ? [planNames, "plan"] : [limitNames, "limit"];
      const nearest = nearestName(key, known);
      const instead =
        nearest === null ? `the ${what}s are ${known.join(", ")}` : `the nearest name is ${nearest}`;
      return `${place === "" ? key : `${place}.${key}`} is no ${what}, ${instead}`;
    });
  return issue.path.length < 2
    ? [`${place || "the whole"} takes an object in braces`]
    : [`${place} takes a whole number from 0 to ${largestLimit}`];
}
