/**
 * Every error code the service can answer, with its HTTP status. The list is closed: a code that is not
 * here cannot be sent, and each has its paragraph in resources/guides/errors.md.
 */
export const errorStatus = {
  field_not_allowed: 400,
  invalid_json: 400,
  invalid_body: 400,
  validation_error: 400,
  invalid_cursor: 400,
  too_many_links: 400,
  text_rejected: 400,
  unauthorized: 401,
  invalid_token: 401,
  token_revoked: 401,
  token_expired: 401,
  missing_scope: 403,
  plan_required: 403,
  token_quota_exceeded: 403,
  retention_exceeded: 403,
  not_owner: 403,
  email_not_verified: 403,
  not_found: 404,
  method_not_allowed: 405,
  already_running: 409,
  already_linked: 409,
  internal_target: 409,
  server_not_verified: 409,
  quota_exceeded: 409,
  limit_reached: 409,
  invalid_state: 409,
  report_locked: 409,
  custom_not_public: 409,
  idempotency_mismatch: 409,
  too_large: 413,
  unsupported_media_type: 415,
  daily_quota_exceeded: 429,
  rate_limited: 429,
  daily_run_quota_exceeded: 429,
  cooldown: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Machine-readable extras of an error body, as snake_case JSON members beside `error` and `message`. */
export type ErrorDetails = Readonly<Record<string, string | number | readonly string[]>>;

/** A refusal a caller may read: its code is in the catalogue, its message says what to do next. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  /** Whole seconds until asking again can succeed; null when waiting does not help. */
  readonly retryAfterSeconds: number | null;
  /** How long a refused body proved to be once it was decompressed, as far as that was done; null where it was not. */
  bodyBytes: number | null = null;

  constructor(
    code: ErrorCode,
    message: string,
    details: ErrorDetails = {},
    retryAfterSeconds: number | null = null,
  ) {
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get status(): number {
    return errorStatus[this.code];
  }

  /** The body as every face sends it. */
  get body(): { error: ErrorCode; message: string } & ErrorDetails {
    return { error: this.code, message: this.message, ...this.details };
  }
}

/** Which of several identifiers names nothing; `position` counts from 1 in a list of them. */
export interface NamedId {
  readonly field: string;
  readonly position?: number;
}

/** One sentence for what does not exist and for what the caller may not see, byte for byte. */
export const notFound = (which?: NamedId): Refusal =>
  new Refusal(
    "not_found",
    `Nothing with this identifier${which ? ` (${placeOf(which)})` : ""} can be seen by this caller. The matching list route shows what can be seen.`,
    { ...which },
  );

const placeOf = ({ field, position }: NamedId): string =>
  position === undefined ? field : `${field}, value ${position}`;

/** What is said where no route has the path. */
export const unknownPath = (): Refusal =>
  new Refusal("not_found", "No route has this path. /api/v1/openapi.json lists all routes.");

/** The answer to a game server whose credential was replaced, or that was unlinked. */
export const revokedCredential = (): Refusal =>
  new Refusal(
    "token_revoked",
    "This credential was replaced by a newer one, or the server was unlinked. Link the server again.",
  );

/** What is said to somebody whose account was deleted while they asked. */
export const accountGone = (): Refusal =>
  new Refusal("unauthorized", "This account was deleted, so nothing was done. Use another account.");

/** Why the database refuses, in words for people. */
const databaseTroubles = {
  full: "The disk of the service's database is full.",
  locked: "The service's database is locked by another program.",
  read_only: "The service's database is write-protected.",
  removed: "The file of the service's database was moved or removed.",
  replaced: "The file of the service's database was replaced by another one.",
  truncated: "The file of the service's database was cut off by another program.",
  pooler: "A connection pooler before the service's database mixes its connections up.",
  damaged: "The service's database is damaged.",
  away: "The service cannot reach its database at the moment.",
} as const;

export type DatabaseTrouble = keyof typeof databaseTroubles;

/** A file that took the database's place is not what others see, and what is left of one that was cut off is not sound. */
const unreadable: ReadonlySet<DatabaseTrouble> = new Set([
  "away",
  "damaged",
  "replaced",
  "truncated",
  "pooler",
]);

/** The database cannot answer now, or cannot save; its message may be read by callers. */
export class Unavailable extends Error {
  readonly trouble: DatabaseTrouble;
  /** Whether something of the same call was saved before. */
  readonly isLater: boolean;
  constructor(cause: unknown, trouble: DatabaseTrouble = "away", isLater = false) {
    super(databaseTroubles[trouble], { cause });
    this.name = "Unavailable";
    this.trouble = trouble;
    this.isLater = isLater;
  }

  /** Whether writing alone is impossible: then reading goes on. */
  get canRead(): boolean {
    return !unreadable.has(this.trouble);
  }

  /** Whether it is known that the call changed nothing: a database that refuses to write refuses the first statement. */
  get changedNothing(): boolean {
    return !this.isLater && (this.trouble === "locked" || this.trouble === "read_only");
  }

  /** The same after something of the call was saved. */
  later(): Unavailable {
    return new Unavailable(this.cause, this.trouble, true);
  }
}
