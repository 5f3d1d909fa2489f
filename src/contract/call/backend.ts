import type { AlertCounts } from "../../core/alert/alert-list-input.ts";
import type { PlanFeature } from "../../core/access/plan.ts";
import type { Scope } from "../../core/access/scope.ts";
import type { Instant } from "../../core/time.ts";
import type { Refusal } from "../../core/errors.ts";
import type { Named } from "../../core/server/server-name.ts";
import type { NamedKind } from "../endpoint/find-named.ts";
import type { Outline } from "../endpoint/outline.ts";

/** One of the caller's windows, as a face tells it. */
export interface RateWindowView {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Instant;
}

export interface RateWindowViews {
  readonly day: RateWindowView;
  readonly hour: RateWindowView | null;
}

/** What every error says; details stand beside these two. */
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
  /** Whole seconds until asking again can succeed; null when waiting does not help. */
  readonly retryAfterSeconds: number | null;
  /** Whether the call was counted in a window. */
  readonly counted: boolean;
  /** True when the credential itself was refused: the transport, not the tool, answers that. */
  readonly credential: boolean;
  /** What the caller's grant would have to carry: a connector can ask its person for it. */
  readonly wants?: readonly Scope[] | null;
}

export interface Answered {
  readonly ok: true;
  readonly status: number;
  readonly value: unknown;
  readonly windows: RateWindowViews | null;
  /** Whether the call was counted in a window. */
  readonly counted: boolean;
}

/** Who asks, as far as a list of tools depends on it. */
export interface CallerView {
  readonly anonymous: boolean;
  /** The token's id, where the backend knows it: what is kept for one token is no other's. */
  readonly tokenId: string | null;
  /** What the token may do at this moment; scopes of a newer service among them. */
  readonly scopes: readonly string[];
  includes(feature: PlanFeature): boolean;
}

/**
 * Where a connector's calls go: through the door of this process, or over REST to a service elsewhere. It speaks
 * for one caller. No function throws.
 */
export interface Backend {
  /**
   * One call, counted once where it is counted at all. `refusal` is what is wrong with the input beyond its schema:
   * the call is refused with it where its input would be looked at.
   */
  call(
    endpoint: Outline,
    input: Record<string, unknown>,
    requestId: string,
    refusal?: Refusal | null,
  ): Promise<Answered | Refused>;
  /**
   * One read that costs nothing of the day: it is counted in the token's hour window alone. Null where the
   * backend has no such way.
   */
  readFree(
    endpoint: Outline,
    input: Record<string, unknown>,
    requestId: string,
  ): Promise<Answered | Refused | null>;
  /**
   * One read that the service makes by itself, to see whether something changed: the caller is checked as ever, but
   * no window counts it and no activity tells of it. Null where the backend has no such way.
   */
  peek(
    endpoint: Outline,
    input: Record<string, unknown>,
    requestId: string,
  ): Promise<Answered | Refused | null>;
  /**
   * What of the caller's own has this identifier, or is a server of this name; nothing counts it. Null where that
   * cannot be known now.
   */
  find(kind: NamedKind, text: string): Promise<readonly Named[] | null>;
  /**
   * How many alerts the list of alerts has for these filters, by rule; nothing counts it. Null where that cannot be
   * known now.
   */
  countAlerts(filters: Readonly<Record<string, unknown>>): Promise<AlertCounts | null>;
  /** Where people reach the pages of the service that answers; no slash at its end. */
  baseUrl(): Promise<string>;
  /** The time where the calls are answered, as far as it is known here. */
  now(): Instant;
  /** Whether the endpoint's schema takes an input; true where only the service elsewhere can tell. */
  takes(endpoint: Outline, input: Record<string, unknown>): Promise<boolean>;
  /** Who the caller is; touches no day window. */
  caller(requestId: string): Promise<{ readonly ok: true; readonly caller: CallerView } | Refused>;
  /** The same at no cost at all, for a connector that looks by itself whether something changed. */
  peekCaller(requestId: string): Promise<{ readonly ok: true; readonly caller: CallerView } | Refused>;
  /** Who the caller is as far as no service elsewhere has to be asked for it; null where that is not known. */
  knownCaller(requestId: string): Promise<CallerView | null>;
}
