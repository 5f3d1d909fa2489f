import type { AlertCounts } from "../../core/alert/alert-list-input.ts";
import type { PlanFeature } from "../../core/access/plan.ts";
import type { Scope } from "../../core/access/scope.ts";
import type { Instant } from "../../core/time.ts";
import type { Refusal } from "../../core/errors.ts";
import type { Named } from "../../core/server/server-name.ts";
import type { NamedKind } from "../endpoint/find-named.ts";
import type { Outline } from "../endpoint/outline.ts";

export interface RateWindowView {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Instant;
}

export interface RateWindowViews {
  readonly day: RateWindowView;
  readonly hour: RateWindowView | null;
}

export interface ErrorBody {
  readonly error: string;
  readonly message: string;
  readonly [detail: string]: unknown;
}

export interface Refused {
  readonly ok: false;
  readonly status: number;
  readonly body: ErrorBody;
  readonly windows: RateWindowViews | null;
  /** Whole seconds until a retry can succeed; null when waiting does not help. */
  readonly retryAfterSeconds: number | null;
  readonly counted: boolean;
  /** True when the credential itself was refused: the transport answers it, not the tool. */
  readonly credential: boolean;
  /** Scopes that the caller's grant lacks for this call; a connector can ask its person for them. */
  readonly wants?: readonly Scope[] | null;
}

export interface Answered {
  readonly ok: true;
  readonly status: number;
  readonly value: unknown;
  readonly windows: RateWindowViews | null;
  readonly counted: boolean;
}

/** The properties of a caller that the list of tools depends on. */
export interface CallerView {
  readonly anonymous: boolean;
  /** The token's id, null where the backend does not know it. Caches are kept by token. */
  readonly tokenId: string | null;
  /** The token's effective scopes; a newer service may have scopes that this version does not know. */
  readonly scopes: readonly string[];
  includes(feature: PlanFeature): boolean;
}

/** The connector's way to this process, or over REST to another service, for one caller. Never throws. */
export interface Backend {
  /**
   * Makes one call, counted as its endpoint says. `refusal` is a defect of the input beyond its schema; it is
   * thrown where the input is checked.
   */
  call(
    endpoint: Outline,
    input: Record<string, unknown>,
    requestId: string,
    refusal?: Refusal | null,
  ): Promise<Answered | Refused>;
  /** Makes one read that counts in the token's hour window alone; null where the backend cannot do that. */
  readFree(
    endpoint: Outline,
    input: Record<string, unknown>,
    requestId: string,
  ): Promise<Answered | Refused | null>;
  /**
   * Reads to see whether something changed: the caller is checked, but the read is neither counted nor listed
   * in the activity. Null where the backend cannot do that.
   */
  peek(
    endpoint: Outline,
    input: Record<string, unknown>,
    requestId: string,
  ): Promise<Answered | Refused | null>;
  /** The caller's own resources with this id, or servers with this name. Uncounted. Null: not known now. */
  find(kind: NamedKind, text: string): Promise<readonly Named[] | null>;
  /** The caller's own servers whose names are near the text, at most three. Uncounted. Null: not known now. */
  serversNear(text: string): Promise<readonly Named[] | null>;
  /** The number of alerts for these filters, by rule. Uncounted. Null: not known now. */
  countAlerts(filters: Readonly<Record<string, unknown>>): Promise<AlertCounts | null>;
  /** The base URL of the service's pages, without a slash at its end. */
  baseUrl(): Promise<string>;
  /** The clock of the service that answers, as far as it is known here. */
  now(): Instant;
  /** Whether the endpoint's schema accepts an input; true where only the remote service can tell. */
  takes(endpoint: Outline, input: Record<string, unknown>): Promise<boolean>;
  /** Identifies the caller without using the day window. */
  caller(requestId: string): Promise<{ readonly ok: true; readonly caller: CallerView } | Refused>;
  /** As `caller`, but also without a last use: for a connector that checks for changes by itself. */
  peekCaller(requestId: string): Promise<{ readonly ok: true; readonly caller: CallerView } | Refused>;
  /** The caller as known without asking a remote service; null where it is unknown. */
  knownCaller(requestId: string): Promise<CallerView | null>;
}
