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
import type { Sealer } from "../../contract/access/sealed.ts";
import type { DialogueKey } from "../../core/access/dialogue.ts";
import { Unavailable } from "../../core/errors.ts";
import type { Instant } from "../../core/time.ts";
import { isWanted, leastAsked, logFrom, logMessage } from "../protocol/client-log.ts";
import { callerOf, type ClientSession, type McpRequest } from "../methods/request.ts";
import { personInRounds } from "../consent/input-rounds.ts";
import type { LiveStream } from "./live-stream.ts";
import type { LogLevels } from "../protocol/log-levels.ts";
import type { Era, Request } from "../protocol/message.ts";
import { rpcCode, RpcError } from "../protocol/rpc.ts";
import type { McpSession, Sessions } from "./session.ts";
import { waitingPerson } from "../consent/waiting-person.ts";

/** What the connector over HTTP keeps of clients between two requests, and where. */
export interface Dialogues {
  readonly db: Database;
  /** Writes for a client's request: see `writesForClient`. */
  readonly write: Database["write"];
  readonly sealer: Sealer;
  readonly sessions: Sessions;
  readonly clock: () => Instant;
  readonly levels: LogLevels;
  /** Ends when the service stops: then no stream is kept open. */
  readonly closing: AbortSignal;
  /** How often watched resources are looked at, ms. */
  readonly watchEveryMs: number;
  readonly reportDefect: (error: unknown, requestId: string) => void;
}

/**
 * The stream of a call's answer; opened with the first message that comes before the answer. One that is `held` waits
 * for somebody.
 */
export type OpenStream = (held: boolean) => LiveStream;

/** The session a request is of, and who speaks in it: what is remembered for one of the two is no other's. */
export interface Speaker {
  readonly session: McpSession;
  /** Stands for the credential. */
  readonly caller: string;
}

/** The token of whoever asks; what is kept for one is no other's. */
export async function tokenIdOf(exchange: McpRequest): Promise<string> {
  const { tokenId } = await callerOf(exchange);
  if (tokenId === null) throw new TypeError("The connector over HTTP knows every caller by a token.");
  return tokenId;
}

/** A call among those of its token, as the client names it when it gives the call up. */
export const callName = ({ name }: McpSession, id: unknown): string =>
  `${name} ${JSON.stringify(id).slice(0, longestName)}`;

/** Everyday ids are numbers; characters. */
const longestName = 200;

/** Gives an exchange what the client of this request can do beside reading its answer. */
export function equip(
  exchange: McpRequest,
  request: Request,
  era: Era,
  speaker: Speaker | null,
  stream: OpenStream | null,
  dialogues: Dialogues,
): void {
  const send = stream && ((message: object): void => stream(false).send(message));
  if (send) exchange.notify = (name, told) => send({ jsonrpc: "2.0", method: name, params: told });
  if (era.name === "modern") return equipModern(exchange, request, send, dialogues);
  if (speaker === null) return;
  exchange.session = sessionFor(exchange, speaker, dialogues);
  if (stream === null || send === null) return;
  logTo(exchange, speaker, send, dialogues);
  const { session } = speaker;
  if (!session.asks) return;
  const { db, write, clock } = dialogues;
  exchange.person = waitingPerson({
    db,
    pose: (question, now) => write(poseQuestion, question, now),
    clock,
    session: session.name,
    call: callName(session, request.id),
    stream: () => stream(true),
    tokenId: () => tokenIdOf(exchange),
    isGood: async () => {
      const known = await exchange.backend.caller(exchange.requestId);
      return known.ok || known.status >= 500;
    },
  });
}

type Send = (message: object) => void;

/** From revision 2026-07-28 on each request says all of it for itself. */
function equipModern(
  exchange: McpRequest,
  { method, params = {} }: Request,
  send: Send | null,
  { sealer, clock }: Dialogues,
): void {
  const holder = (): Promise<string> => tokenIdOf(exchange);
  exchange.person = personInRounds({ method, params, sealer, holder, now: clock });
  if (send) exchange.log = logFrom(leastAsked(params), send);
}

/** A log is no part of a call: what keeps it from being told keeps nobody from the answer. */
function logTo(
  exchange: McpRequest,
  { session: { name: session }, caller }: Speaker,
  send: Send,
  { levels, db, clock }: Dialogues,
): void {
  const remembered = `${session} ${caller}`;
  if (levels.known(remembered) === null) return;
  const find = async () => {
    const known = await exchange.backend.caller(exchange.requestId);
    if (!known.ok || known.caller.tokenId === null) return null;
    const key = { tokenId: known.caller.tokenId, session };
    const level = await db.read(selectLogLevel, key);
    if (level !== null) await db.writeRelaxed(keepDialogueSession, key, clock());
    return level;
  };
  exchange.log = async (level, data) => {
    const least = await levels.of(remembered, find).catch(() => null);
    if (isWanted(level, least)) send(logMessage(level, data));
  };
}

function sessionFor(
  exchange: McpRequest,
  { session: { name: session }, caller }: Speaker,
  { write, clock, levels }: Dialogues,
): ClientSession {
  const key = async (): Promise<DialogueKey> => ({ tokenId: await tokenIdOf(exchange), session });
  return {
    setLogLevel: async (level) => {
      await write(saveLogLevel, await key(), level, clock());
      levels.note(`${session} ${caller}`, level);
    },
    watch: async (watched) => write(watchResource, await key(), watched, clock()),
    unwatch: async (uri) => write(unwatchResource, await key(), uri),
  };
}

/** Writes for a client's request. A database that does not answer is told to the client as an error of JSON-RPC. */
export const writesForClient =
  (db: Database): Database["write"] =>
  (work, ...values) =>
    db.write(work, ...values).catch((error: unknown) => {
      if (!(error instanceof Unavailable)) throw error;
      const { body } = unavailable(error);
      throw new RpcError(rpcCode.internalError, body.message, body);
    });
