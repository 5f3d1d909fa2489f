import { createHash } from "node:crypto";
import type { RateWindows } from "../../core/access/rate-window.ts";
import { Refusal, Unavailable, type ErrorCode } from "../../core/errors.ts";
import type { Position } from "../../core/position.ts";
import type { Replay } from "../../core/replay.ts";
import type { Instant } from "../../core/time.ts";
import { noteRejected } from "./authenticate.ts";
import type { Caller } from "./caller.ts";
import type { Database, DatabaseReader } from "../../store/engine/database.ts";
import type { PastDays } from "../../services/status-page/past-days.ts";
import type { Plans } from "../../core/access/plan.ts";
import type { SecurityNotes } from "../../core/security-log/event.ts";
import type { AccountPolicy } from "../../app/access/account-policy.ts";
import type { ContactAddresses } from "../../app/access/contact-addresses.ts";
import type { MessageSender } from "../../app/access/message-sender.ts";
import type { Secrets } from "../../app/access/secrets.ts";
import type { Context, Fail, Found } from "./context.ts";
import type { ReceivedRequest, AppContext } from "./app-context.ts";
import type { CursorSeal } from "../endpoint/cursor.ts";
import type { Endpoint, HttpMethod } from "../endpoint/endpoint.ts";
import { readInput } from "../endpoint/input.ts";
import { chargeRefused, requireNothingOwed, senderIdOf } from "../limits/sender-throttle.ts";
import { readingAccount, bodyReading } from "./body-reading.ts";
import { CheckedInput } from "../files/body-reading.ts";
import { fail, found } from "./refusals.ts";

export interface Accepted {
  readonly caller: Caller;
  readonly sent: Record<string, unknown>;
  readonly input: Record<string, unknown>;
  readonly now: Instant;
  /** The route, account and filters that a cursor is bound to; empty for calls without pages. */
  readonly binding: string;
  readonly after: Position | null;
}

/** Step 5. Marks a linked server as rejected if its body is refused: its owner sees why it is silent. */
export async function accept(
  app: AppContext,
  endpoint: Endpoint,
  request: ReceivedRequest,
  caller: Caller,
  now: Instant,
): Promise<Accepted> {
  const sender = senderIdOf(caller);
  // Another body of this sender may have been refused while this one arrived.
  if (request.body) requireNothingOwed(app.throttle, sender, app.clock());
  try {
    const taken = await request.input(bodyReading(app, endpoint, caller));
    const isChecked = taken instanceof CheckedInput;
    const sent = isChecked ? taken.sent : taken;
    const input = isChecked ? taken.input : readInput(endpoint, taken);
    endpoint.check?.(input, { caller, now, fail, isAcceptable: app.isAcceptable });
    if (endpoint.replayable) refuseBadKey(request.idempotencyKey ?? null);
    return acceptedInput(app, endpoint.id, { caller, sent, input, now });
  } catch (error) {
    if (error instanceof Refusal && request.body)
      chargeRefused(app.throttle, sender, error, request.body.bytes, app.clock());
    // If this note for the owner cannot be written, the caller still gets the refusal.
    if (caller.kind === "server" && error instanceof Refusal) {
      await noteRejected(app.db, caller.server.id, now).catch((failure: unknown) =>
        app.reportDefect(failure, request.requestId),
      );
    }
    throw error;
  }
}

/** Adds the cursor's position to an input that its schema accepted; throws Refusal for a bad cursor. */
export function acceptedInput(
  { cursors }: AppContext,
  id: string,
  call: Pick<Accepted, "caller" | "sent" | "input" | "now">,
): Accepted {
  const { caller, input } = call;
  const binding = typeof input["limit"] === "number" ? cursorBinding(id, caller, input) : "";
  return { ...call, binding, after: openCursor(cursors, input["cursor"], binding) };
}

function refuseBadKey(key: string | null): void {
  if (key === null || /^[\x20-\x7e]{1,128}$/.test(key)) return;
  throw new Refusal(
    "validation_error",
    "Idempotency-Key takes 1 to 128 printable ASCII characters. Send another key.",
    {
      field: "Idempotency-Key",
    },
  );
}

interface Called {
  readonly id: string;
  readonly method?: HttpMethod;
}

/** Most handlers use three or four of the twenty members, so each is made on first use. */
export class CallContext implements Context<Caller, ErrorCode> {
  readonly caller: Caller;
  readonly now: Instant;
  readonly windows: RateWindows | null;
  readonly #app: AppContext;
  /** An endpoint or an action, which has no method. */
  readonly #called: Called;
  readonly #request: ReceivedRequest;
  readonly #accepted: Accepted;
  #noting: Database | null = null;
  #hasSaved = false;

  constructor(
    app: AppContext,
    called: Called,
    request: ReceivedRequest,
    accepted: Accepted,
    windows: RateWindows | null,
  ) {
    this.caller = accepted.caller;
    this.now = accepted.now;
    this.windows = windows;
    this.#app = app;
    this.#called = called;
    this.#request = request;
    this.#accepted = accepted;
  }

  async run(handle: (input: unknown, context: unknown) => Promise<unknown>): Promise<unknown> {
    try {
      return await handle(this.#accepted.input, this);
    } catch (error) {
      throw this.#failureOf(error);
    } finally {
      const account = accountIdOf(this.caller);
      // Reads that keep their answer change nothing that a person waits to see.
      if (account !== null && this.#hasSaved && this.#called.method !== "GET")
        this.#app.replica.noteChange(account);
    }
  }

  get db(): Database {
    return (this.#noting ??= notingSaves(this.#app.db, () => void (this.#hasSaved = true)));
  }

  get replica(): DatabaseReader {
    const reader = this.#app.replica.readerFor(accountIdOf(this.caller));
    return reader === this.#app.db ? this.db : reader;
  }

  /** After something was saved, no error says that nothing was changed. */
  #failureOf(error: unknown): unknown {
    return this.#hasSaved && error instanceof Unavailable ? error.later() : error;
  }

  get fail(): Fail<ErrorCode> {
    return fail;
  }
  get found(): Found {
    return found;
  }
  get secrets(): Secrets {
    return this.#app.secrets;
  }
  get baseUrl(): string {
    return this.#app.baseUrl;
  }
  get version(): string {
    return this.#app.version;
  }
  get plans(): Plans {
    return this.#app.plans;
  }
  get pastDays(): PastDays {
    return this.#app.pastDays;
  }
  get sent(): Readonly<Record<string, unknown>> {
    return this.#accepted.sent;
  }
  get after(): Position | null {
    return this.#accepted.after;
  }
  get page(): Context<Caller, ErrorCode>["page"] {
    const { cursors } = this.#app;
    const { binding } = this.#accepted;
    return (rows, limit, position, show) => {
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      const more = rows.length > limit && last !== undefined;
      return {
        data: shown.map(show),
        page: { cursor: more ? cursors.seal(position(last), binding) : null, has_more: more },
      };
    };
  }
  get replay(): Replay {
    return replayOf(this.#called.id, this.#request, this.#accepted);
  }
  get readDocuments(): Context<Caller, ErrorCode>["readDocuments"] {
    return (name, what) => this.#app.readDocuments(readingAccount(this.caller, this.#called.id), name, what);
  }
  get readDocumentsOf(): Context<Caller, ErrorCode>["readDocumentsOf"] {
    return (accountId) => (name, what) => this.#app.readDocuments(accountId, name, what);
  }
  get isAcceptable(): AppContext["isAcceptable"] {
    return this.#app.isAcceptable;
  }
  get sendMessage(): MessageSender {
    return this.#app.sendMessage;
  }
  get addresses(): ContactAddresses {
    return this.#app.contactAddresses;
  }
  get people(): AccountPolicy {
    return this.#app.accountPolicy;
  }
  get security(): SecurityNotes {
    return this.#app.security;
  }
}

/** Calls `saved` when something was saved. Relaxed writes (counters, last uses) do not count. */
function notingSaves(db: Database, saved: () => void): Database {
  const noted = <T>(saving: Promise<T>): Promise<T> => {
    saving.then(saved, () => {});
    return saving;
  };
  return {
    ...db,
    write: (work, ...values) => noted(db.write(work, ...values)),
    writeFor: (key, work, ...values) => noted(db.writeFor(key, work, ...values)),
  };
}

/** A cursor belongs to one route, account and set of filters. The page size is not part of the binding. */
function cursorBinding(id: string, caller: Caller, input: Record<string, unknown>): string {
  const { limit: _limit, cursor: _cursor, ...filters } = input;
  const account = accountIdOf(caller) ?? "";
  return JSON.stringify([
    id,
    account,
    Object.entries(filters)
      .filter(([, value]) => value !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}

function openCursor(cursors: CursorSeal, cursor: unknown, binding: string): Position | null {
  if (typeof cursor !== "string") return null;
  const position = cursors.open(cursor, binding);
  if (position) return position;
  throw new Refusal(
    "invalid_cursor",
    "This cursor does not belong to this list with these filters. Send the cursor exactly as received, with the same filters, or start without a cursor.",
  );
}

const accountIdOf = (caller: Caller): string | null =>
  caller.kind === "token" || caller.kind === "session" ? caller.account.id : null;

function replayOf(id: string, request: ReceivedRequest, { caller, input, now }: Accepted): Replay {
  const accountId = accountIdOf(caller);
  if (accountId === null) throw new Error(`${id}: only an account's creations can be replayed.`);
  const body = JSON.stringify(Object.entries(input).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return {
    accountId,
    route: id,
    key: request.idempotencyKey ?? null,
    bodyDigest: createHash("sha256").update(body).digest("hex"),
    now,
  };
}
