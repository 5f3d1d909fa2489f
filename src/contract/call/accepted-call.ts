import { updateServerRejected } from "../../store/server/servers.ts";
import { createHash } from "node:crypto";
import type { RateWindows } from "../../core/access/rate-window.ts";
import { Refusal, type ErrorCode } from "../../core/errors.ts";
import type { Position } from "../../core/position.ts";
import type { Replay } from "../../core/replay.ts";
import type { Instant } from "../../core/time.ts";
import type { Caller } from "./caller.ts";
import type { Context } from "./context.ts";
import type { SentDocument } from "../files/document-tasks.ts";
import type { ReceivedRequest, AppContext } from "./app-context.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { readInput } from "../endpoint/input.ts";
import { fail, found } from "./refusals.ts";

/** What step 5 accepted. */
export interface Accepted {
  readonly caller: Caller;
  readonly sent: Record<string, unknown>;
  readonly input: Record<string, unknown>;
  readonly now: Instant;
  /** What a cursor of this call belongs to. */
  readonly binding: string;
  readonly after: Position | null;
}

/** Step 5. A linked server whose body is refused is remembered as rejected: its owner sees why it is silent. */
export async function accept(
  app: AppContext,
  endpoint: Endpoint,
  request: ReceivedRequest,
  caller: Caller,
  now: Instant,
): Promise<Accepted> {
  try {
    const sent = await request.input((document) => readBody(app, endpoint, caller, document));
    const input = readInput(endpoint, sent);
    endpoint.check?.(input, { caller, now, fail, isAcceptable: app.isAcceptable });
    if (endpoint.replayable) refuseBadKey(request.idempotencyKey ?? null);
    const binding = typeof input["limit"] === "number" ? cursorBinding(endpoint, caller, input) : "";
    return { caller, sent, input, now, binding, after: openCursor(app, input["cursor"], binding) };
  } catch (error) {
    // The note is for the owner: whether it can be made changes nothing for the caller.
    if (caller.kind === "server" && error instanceof Refusal) {
      await app.db
        .writeRelaxed(updateServerRejected, caller.server.id, now)
        .catch((failure: unknown) => app.reportDefect(failure, request.requestId));
    }
    throw error;
  }
}

/** Reads a document that is the whole body, as one of the account whose server, or whose person, sent it. */
function readBody(
  app: AppContext,
  { id, access, files, wholeBody }: Endpoint,
  caller: Caller,
  sent: SentDocument,
): Promise<unknown> {
  if (files === null || wholeBody === null) throw new Error(`${id} takes no document.`);
  const upload = { sent, field: wholeBody.name, pointers: access.face !== "web" };
  return app.readDocuments(accountOf(caller, id), files.task, upload);
}

/** The account whose turn it is when a document is read for the caller. */
function accountOf(caller: Caller, endpoint: string): string {
  if (caller.kind === "server") return caller.server.accountId;
  const account = accountIdOf(caller);
  if (account === null) throw new Error(`${endpoint}: documents are read for an account.`);
  return account;
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

/** Everything the handler of an accepted call is given beside its input. */
export function contextOf(
  app: AppContext,
  endpoint: Endpoint,
  request: ReceivedRequest,
  accepted: Accepted,
  windows: RateWindows | null,
): Context<Caller, ErrorCode> {
  const { caller, sent, input, now, binding, after } = accepted;
  return {
    db: app.db,
    caller,
    now,
    fail,
    found,
    secrets: app.secrets,
    baseUrl: app.baseUrl,
    version: app.version,
    plans: app.plans,
    pastDays: app.pastDays,
    sent,
    windows,
    after,
    page: (rows, limit, position, show) => {
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      const more = rows.length > limit && last !== undefined;
      return {
        data: shown.map(show),
        page: { cursor: more ? app.cursors.seal(position(last), binding) : null, has_more: more },
      };
    },
    get replay() {
      return replayOf(endpoint, request, caller, input, now);
    },
    readDocuments: (name, what) => app.readDocuments(accountOf(caller, endpoint.id), name, what),
    readDocumentsOf: (accountId) => (name, what) => app.readDocuments(accountId, name, what),
    isAcceptable: app.isAcceptable,
    sendMessage: app.sendMessage,
    addresses: app.contactAddresses,
    people: app.accountPolicy,
    security: app.security,
  };
}

/** A cursor belongs to one route, account and set of filters; not to the page size. */
function cursorBinding(endpoint: Endpoint, caller: Caller, input: Record<string, unknown>): string {
  const { limit: _limit, cursor: _cursor, ...filters } = input;
  const account = accountIdOf(caller) ?? "";
  return JSON.stringify([
    endpoint.id,
    account,
    Object.entries(filters)
      .filter(([, value]) => value !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}

function openCursor(app: AppContext, cursor: unknown, binding: string): Position | null {
  if (typeof cursor !== "string") return null;
  const position = app.cursors.open(cursor, binding);
  if (position) return position;
  throw new Refusal(
    "invalid_cursor",
    "This cursor does not belong to this list with these filters. Send the cursor exactly as received, with the same filters, or start without a cursor.",
  );
}

const accountIdOf = (caller: Caller): string | null =>
  caller.kind === "token" || caller.kind === "session" ? caller.account.id : null;

function replayOf(
  endpoint: Endpoint,
  request: ReceivedRequest,
  caller: Caller,
  input: Record<string, unknown>,
  now: Instant,
): Replay {
  const accountId = accountIdOf(caller);
  if (accountId === null) throw new Error(`${endpoint.id}: only an account's creations can be replayed.`);
  const body = JSON.stringify(Object.entries(input).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return {
    accountId,
    route: endpoint.id,
    key: request.idempotencyKey ?? null,
    bodyDigest: createHash("sha256").update(body).digest("hex"),
    now,
  };
}
