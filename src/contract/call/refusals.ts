import {
  notFound,
  Refusal,
  Unavailable,
  type ErrorCode,
  type ErrorDetails,
  type NamedId,
} from "../../core/errors.ts";
import type { AppContext } from "./app-context.ts";

export function fail(
  code: ErrorCode,
  message: string,
  details: ErrorDetails = {},
  retryAfterSeconds: number | null = null,
): never {
  throw new Refusal(code, message, details, retryAfterSeconds);
}

/** The value, or the same 404 for missing and hidden; `which` names the id in calls that take several. */
export function found<T>(value: T | null, which?: NamedId): NonNullable<T> {
  if (value === null || value === undefined) throw notFound(which);
  return value;
}

/** The body ended early, or did not match its headers. */
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

/** Seconds after which a caller may retry when the service was unavailable. */
const unavailableRetrySeconds = 5;

const notNow = (why: string, effect = "It is not known whether a change took effect."): Refusal =>
  new Refusal("unavailable", `${why} ${effect} Repeat the call: this is safe.`, {}, unavailableRetrySeconds);

export const unavailable = ({ message, trouble, changedNothing }: Unavailable): Refusal => {
  if (changedNothing) return notNow(message, "Nothing was changed.");
  return notNow(
    trouble === "damaged"
      ? `${message} Its operator has to restore a backup (tickmark restore FILE).`
      : message,
  );
};

/** The service stops before the call is answered. */
export const stopping = (): Refusal => notNow("The service is stopping.");

/** The database is older than this program and is being upgraded. */
export const migrating = (): Refusal => notNow("The service's database is being upgraded.");

/** Reports defects to the operator; the caller gets the request id. */
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
