import type { Config } from "../../app/config/config.ts";
import { Unavailable } from "../../core/errors.ts";
import { fileError } from "./file-errors.ts";
import { listenError } from "./listen-errors.ts";
import { postgresError } from "./postgres-errors.ts";
import { sqliteError } from "./sqlite-errors.ts";

/** The database has its own words for callers; why it cannot be used is the cause. */
const causeOf = (error: unknown): unknown =>
  error instanceof Unavailable && error.cause instanceof Error ? error.cause : error;

/**
 * Known errors of a start as one line that says what to do, by what was asked of the system and where; an error that
 * has a status of its own is such a line already. Other errors come back as they are.
 */
export function startError(error: unknown, config: Config): unknown {
  if (error instanceof Error && "status" in error) return error;
  const cause = causeOf(error);
  return listenError(cause, config) ?? databaseError(cause, config) ?? error;
}

function databaseError(error: unknown, { databaseUrl }: Config): Error | null {
  if (!databaseUrl.startsWith("sqlite:")) return postgresError(error, databaseUrl);
  const path = databaseUrl.slice("sqlite:".length);
  const place = { what: "the database", setting: "TICKMARK_DATABASE_URL" };
  return sqliteError(error, path) ?? fileError(error, place);
}
