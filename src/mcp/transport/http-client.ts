import { unavailable } from "../../contract/call/refusals.ts";
import type { Sealer } from "../../contract/access/sealed.ts";
import type { DialogueKey, DialogueStore } from "../../core/access/dialogue.ts";
import { Unavailable } from "../../core/errors.ts";
import type { Instant } from "../../core/time.ts";
import { isWanted, leastAsked, logFrom, logMessage } from "../protocol/client-log.ts";
import { askerOf, type ClientSession, type Exchange } from "../methods/request.ts";
import { personInRounds } from "../consent/input-rounds.ts";
import type { LiveStream } from "./live-stream.ts";
import type { LogLevels } from "../protocol/log-levels.ts";
import type { Era, Request } from "../protocol/message.ts";
import { rpcCode, RpcError } from "../protocol/rpc.ts";
import type { Session, Sessions } from "./session.ts";
import { waitingPerson } from "../consent/waiting-person.ts";

/** What the connector over HTTP keeps of clients between two requests, and where. */
export interface Dialogues {
  readonly store: DialogueStore;
  readonly told: Told;
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
  readonly session: Session;
  /** Stands for the credential. */
  readonly caller: string;
}

/** The token of whoever asks; what is kept for one is no other's. */
export async function tokenIdOf(exchange: Exchange): Promise<string> {
  const { tokenId } = await askerOf(exchange);
  if (tokenId === null) throw new TypeError("The connector over HTTP knows every caller by a token.");
  return tokenId;
}

/** A call among those of its token, as the client names it when it gives the call up. */
export const callName = ({ name }: Session, id: unknown): string =>
  `${name} ${JSON.stringify(id).slice(0, longestName)}`;

/** Everyday ids are numbers; characters. */
const longestName = 200;

/** Gives an exchange what the client of this request can do beside reading its answer. */
export function equip(
  exchange: Exchange,
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
  const { store, told, clock } = dialogues;
  exchange.person = waitingPerson({
    store,
    pose: told.pose,
    clock,
    session: session.name,
    call: callName(session, request.id),
    stream: () => stream(true),
    tokenId: () => tokenIdOf(exchange),
    isGood: async () => {
      const known = await exchange.backend.asker(exchange.requestId);
      return known.ok || known.status >= 500;
    },
  });
}

type Send = (message: object) => void;

/** From revision 2026-07-28 on each request says all of it for itself. */
function equipModern(
  exchange: Exchange,
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
  exchange: Exchange,
  { session: { name: session }, caller }: Speaker,
  send: Send,
  { levels, store, clock }: Dialogues,
): void {
  const remembered = `${session} ${caller}`;
  if (levels.known(remembered) === null) return;
  const find = async () => {
    const known = await exchange.backend.asker(exchange.requestId);
    if (!known.ok || known.asker.tokenId === null) return null;
    const key = { tokenId: known.asker.tokenId, session };
    const level = await store.logLevel(key);
    if (level !== null) await store.keep(key, clock());
    return level;
  };
  exchange.log = async (level, data) => {
    const least = await levels.of(remembered, find).catch(() => null);
    if (isWanted(level, least)) send(logMessage(level, data));
  };
}

function sessionFor(
  exchange: Exchange,
  { session: { name: session }, caller }: Speaker,
  { told, clock, levels }: Dialogues,
): ClientSession {
  const key = async (): Promise<DialogueKey> => ({ tokenId: await tokenIdOf(exchange), session });
  return {
    setLogLevel: async (level) => {
      await told.setLogLevel(await key(), level, clock());
      levels.note(`${session} ${caller}`, level);
    },
    watch: async (watched) => told.watch(await key(), watched, clock()),
    unwatch: async (uri) => told.unwatch(await key(), uri),
  };
}

/** What a client's request writes; where the database does not answer, that is told as it is everywhere. */
type Told = Pick<DialogueStore, "setLogLevel" | "watch" | "unwatch" | "pose">;

export function answering(store: DialogueStore): Told {
  const told = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      if (!(error instanceof Unavailable)) throw error;
      const { body } = unavailable(error);
      throw new RpcError(rpcCode.internalError, body.message, body);
    });
  return {
    setLogLevel: (...args) => told(store.setLogLevel(...args)),
    watch: (...args) => told(store.watch(...args)),
    unwatch: (...args) => told(store.unwatch(...args)),
    pose: (...args) => told(store.pose(...args)),
  };
}
