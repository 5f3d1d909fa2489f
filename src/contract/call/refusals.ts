import {
  notFound,
  Refusal,
  Unavailable,
  type ErrorCode,
  type ErrorDetails,
  type NamedId,
} from "../../core/errors.ts";
import type { AppContext } from "./app-context.ts";

/** Refuses; how handlers say no. */
export function fail(
  code: ErrorCode,
  message: string,
  details: ErrorDetails = {},
  retryAfterSeconds: number | null = null,
): never {
  throw new Refusal(code, message, details, retryAfterSeconds);
}

/** The value, or the 404 for what does not exist and what the caller may not see, with `which` of several ids it was. */
export function found<T>(value: T | null, which?: NamedId): NonNullable<T> {
  if (value === null || value === undefined) throw notFound(which);
  return value;
}

/** A body that ended before it should: its sender is gone, or sent something else than it announced. */
export class BrokenBody extends Error {
  override readonly name = "BrokenBody";
  constructor(options?: ErrorOptions) {
    super("The body of a request broke off.", options);
  }
}

export const brokenBody = (): Refusal =>
  new Refusal(
    "invalid_body",
    "The request's body ended early or does not match its headers. Send the request again.",
  );

/** Seconds after which a caller may try again when the service could not answer. */
const unavailableRetrySeconds = 5;

const notNow = (why: string, effect = "It is not known whether a change took effect."): Refusal =>
  new Refusal("unavailable", `${why} ${effect} Repeat the call: this is safe.`, {}, unavailableRetrySeconds);

/** The database does not answer, or cannot save. */
export const unavailable = ({ message, trouble, changedNothing }: Unavailable): Refusal => {
  if (changedNothing) return notNow(message, "Nothing was changed.");
  return notNow(
    trouble === "damaged"
      ? `${message} Its operator has to restore a backup (tickmark restore FILE).`
      : message,
  );
};

/** The service stops before it has an answer. */
export const stopping = (): Refusal => notNow("The service is stopping.");

/** The database is older than this program, and is being brought up to date. */
export const migrating = (): Refusal => notNow("The service's database is being upgraded.");

/** What a caller may read of a failure; a defect is logged for the operator, the caller gets its request id. */
export function asRefusal(error: unknown, app: AppContext, requestId: string): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof BrokenBody) return brokenBody();
  app.reportDefect(error, requestId);
  if (error instanceof Unavailable) return unavailable(error);
  return new Refusal(
    "internal_error",
    "The service failed with an internal error. Send the request id to the operator.",
    { request_id: requestId },
  );
}
