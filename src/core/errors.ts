/** Each code has its HTTP status, and a paragraph in resources/guides/errors.md. */
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

/** Members of the error body beside `error` and `message`, in snake_case. */
export type ErrorDetails = Readonly<Record<string, string | number | readonly string[]>>;

/** An error for the caller; the message says what to do next. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  /** Whole seconds until a retry can succeed; null if waiting does not help. */
  readonly retryAfterSeconds: number | null;
  /** Length of the refused body as far as it was decompressed, bytes; null if it was not. */
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

  get body(): { error: ErrorCode; message: string } & ErrorDetails {
    return { error: this.code, message: this.message, ...this.details };
  }
}

/** `position` counts from 1 in a list of identifiers. */
export interface NamedId {
  readonly field: string;
  readonly position?: number;
}

/** The same answer, byte for byte, for a missing resource and for one that the caller may not see. */
export const notFound = (which?: NamedId): Refusal =>
  new Refusal(
    "not_found",
    `Nothing with this identifier${which ? ` (${placeOf(which)})` : ""} can be seen by this caller. The matching list route shows what can be seen.`,
    { ...which },
  );

const placeOf = ({ field, position }: NamedId): string =>
  position === undefined ? field : `${field}, value ${position}`;

export const unknownPath = (): Refusal =>
  new Refusal("not_found", "No route has this path. /api/v1/openapi.json lists all routes.");

export const revokedCredential = (): Refusal =>
  new Refusal(
    "token_revoked",
    "This credential was replaced by a newer one, or the server was unlinked. Link the server again.",
  );

export const accountGone = (): Refusal =>
  new Refusal("unauthorized", "This account was deleted, so nothing was done. Use another account.");

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

/** Reads fail or may be wrong: a replaced file is not the one others use, a truncated one is damaged. */
const unreadable: ReadonlySet<DatabaseTrouble> = new Set([
  "away",
  "damaged",
  "replaced",
  "truncated",
  "pooler",
]);

/** Callers may read the message. */
export class Unavailable extends Error {
  readonly trouble: DatabaseTrouble;
  /** Whether an earlier write of the same call was saved. */
  readonly isLater: boolean;
  constructor(cause: unknown, trouble: DatabaseTrouble = "away", isLater = false) {
    super(databaseTroubles[trouble], { cause });
    this.name = "Unavailable";
    this.trouble = trouble;
    this.isLater = isLater;
  }

  /** Whether only writing is impossible. */
  get canRead(): boolean {
    return !unreadable.has(this.trouble);
  }

  /** A locked or read-only database refuses the first write of a call, so nothing was changed. */
  get changedNothing(): boolean {
    return !this.isLater && (this.trouble === "locked" || this.trouble === "read_only");
  }

  /** The same error, after a part of the call was saved. */
  later(): Unavailable {
    return new Unavailable(this.cause, this.trouble, true);
  }
}
