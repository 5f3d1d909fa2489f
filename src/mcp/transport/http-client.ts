import type { Database } from "../../store/engine/database.ts";
import {
  selectLogLevel,
  saveLogLevel,
  watchResource,
  unwatchResource,
  keepDialogueSession,
  poseQuestion,
} from "../../store/access/dialogues.ts";
import { unavailable } from "../../contract/call/refusals.ts";
import type { Sealer } from "../../app/access/sealed.ts";
import type { DialogueKey } from "../../core/access/dialogue.ts";
import { Unavailable } from "../../core/errors.ts";
import type { Instant } from "../../core/time.ts";
import { isWanted, requestedLevel, logFrom, logMessage, type Log } from "../protocol/client-log.ts";
import { callerOf, type ClientAbilities, type ClientSession, type McpRequest } from "../methods/request.ts";
import type { ConfirmingPerson } from "../consent/person.ts";
import { personInRounds } from "../consent/input-rounds.ts";
import type { LiveStream } from "./live-stream.ts";
import type { LogLevels } from "../protocol/log-levels.ts";
import type { Era, Request } from "../protocol/message.ts";
import { rpcCode, RpcError } from "../protocol/rpc.ts";
import type { McpSession, Sessions } from "./session.ts";
import { waitingPerson } from "../consent/waiting-person.ts";

/** Where the connector over HTTP keeps clients' state between requests. */
export interface Dialogues {
  readonly db: Database;
  /** Writes for a client's request: see `writesForClient`. */
  readonly write: Database["write"];
  readonly sealer: Sealer;
  readonly sessions: Sessions;
  readonly clock: () => Instant;
  readonly levels: LogLevels;
  /** Aborts when the service stops: then no stream is kept open. */
  readonly closing: AbortSignal;
  /** How often watched resources are checked, ms. */
  readonly watchEveryMs: number;
  readonly reportDefect: (error: unknown, requestId: string) => void;
}

/** Opens the stream with the first message before the answer. A `held` stream waits for a person. */
export type OpenStream = (held: boolean) => LiveStream;

/** The session of a request with its caller: the cached log level belongs to both. */
export interface Speaker {
  readonly session: McpSession;
  /** A digest of the credential. */
  readonly caller: string;
}

/** Questions and subscriptions are stored under this id. Throws `CallerRefused`. */
export async function tokenIdOf(context: McpRequest): Promise<string> {
  const { tokenId } = await callerOf(context);
  if (tokenId === null) throw new TypeError("The connector over HTTP knows every caller by a token.");
  return tokenId;
}

/** Identifies a call of a token by the id with which the client can cancel it. */
export const callName = ({ name }: McpSession, id: unknown): string =>
  `${name} ${JSON.stringify(id).slice(0, longestName)}`;

/** Characters; usual ids are numbers. */
const longestName = 200;

export function abilitiesOf(
  context: McpRequest,
  request: Request,
  era: Era,
  speaker: Speaker | null,
  stream: OpenStream | null,
  dialogues: Dialogues,
): ClientAbilities {
  const send = stream && ((message: object): void => stream(false).send(message));
  const notify: ClientAbilities["notify"] =
    send && ((name, params) => send({ jsonrpc: "2.0", method: name, params }));
  if (era.name === "modern")
    return { notify, session: null, ...modernAbilities(context, request, send, dialogues) };
  if (speaker === null) return { notify, person: null, log: null, session: null };
  return {
    notify,
    session: sessionFor(context, speaker, dialogues),
    log: send && sessionLog(context, speaker, send, dialogues),
    person: stream && personInSession(context, request, speaker, stream, dialogues),
  };
}

type Send = (message: object) => void;

/** From revision 2026-07-28 on each request declares its own abilities. */
const modernAbilities = (
  context: McpRequest,
  { method, params = {} }: Request,
  send: Send | null,
  { sealer, clock }: Dialogues,
): Pick<ClientAbilities, "person" | "log"> => ({
  person: personInRounds({ method, params, sealer, holder: () => tokenIdOf(context), now: clock }),
  log: send && logFrom(requestedLevel(params), send),
});

/** Null if the session's client cannot ask its person. */
function personInSession(
  context: McpRequest,
  request: Request,
  { session }: Speaker,
  stream: OpenStream,
  { db, write, clock }: Dialogues,
): ConfirmingPerson | null {
  if (!session.asks) return null;
  return waitingPerson({
    db,
    pose: (question, now) => write(poseQuestion, question, now),
    clock,
    session: session.name,
    call: callName(session, request.id),
    stream: () => stream(true),
    tokenId: () => tokenIdOf(context),
    isGood: async () => {
      const known = await context.backend.caller(context.requestId);
      return known.ok || known.status >= 500;
    },
  });
}

/** Null if the client is known to have set no level. A failure to read it does not prevent the answer. */
function sessionLog(
  context: McpRequest,
  { session: { name: session }, caller }: Speaker,
  send: Send,
  { levels, db, clock }: Dialogues,
): Log | null {
  const remembered = `${session} ${caller}`;
  if (levels.known(remembered) === null) return null;
  const find = async () => {
    const known = await context.backend.caller(context.requestId);
    if (!known.ok || known.caller.tokenId === null) return null;
    const key = { tokenId: known.caller.tokenId, session };
    const level = await db.read(selectLogLevel, key);
    if (level !== null) await db.writeRelaxed(keepDialogueSession, key, clock());
    return level;
  };
  return async (level, data) => {
    const least = await levels.of(remembered, find).catch(() => null);
    if (isWanted(level, least)) send(logMessage(level, data));
  };
}

function sessionFor(
  context: McpRequest,
  { session: { name: session }, caller }: Speaker,
  { write, clock, levels }: Dialogues,
): ClientSession {
  const key = async (): Promise<DialogueKey> => ({ tokenId: await tokenIdOf(context), session });
  return {
    setLogLevel: async (level) => {
      await write(saveLogLevel, await key(), level, clock());
      levels.note(`${session} ${caller}`, level);
    },
    watch: async (watched) => write(watchResource, await key(), watched, clock()),
    unwatch: async (uri) => write(unwatchResource, await key(), uri),
  };
}

/** Turns an unavailable database into a JSON-RPC error. */
export const writesForClient =
  (db: Database): Database["write"] =>
  (work, ...values) =>
    db.write(work, ...values).catch((error: unknown) => {
      if (!(error instanceof Unavailable)) throw error;
      const { body } = unavailable(error);
      throw new RpcError(rpcCode.internalError, body.message, body);
    });
