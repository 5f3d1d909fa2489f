import { isJsonObject } from "../contract/json-body.ts";
import type { Sealer } from "../contract/sealed.ts";
import type { DialogueKey, DialogueStore } from "../core/access/dialogue.ts";
import type { Instant } from "../core/time.ts";
import { isLogLevel, isWanted, logMessage } from "./client-log.ts";
import { askerOf, type ClientSession, type Exchange } from "./exchange.ts";
import { personInRounds } from "./input-rounds.ts";
import type { LiveStream } from "./live-stream.ts";
import type { LogLevels } from "./log-levels.ts";
import type { Era, Request } from "./message.ts";
import { metaKey } from "./protocol.ts";
import type { Session, Sessions } from "./session.ts";
import { waitingPerson } from "./waiting-person.ts";

/** What the connector over HTTP keeps of clients between two requests, and where. */
export interface Dialogues {
  readonly store: DialogueStore;
  readonly sealer: Sealer;
  readonly sessions: Sessions;
  readonly clock: () => Instant;
  readonly levels: LogLevels;
  /** Ends when the service stops: then no stream is kept open. */
  readonly closing: AbortSignal;
  /** How often watched resources are looked at, ms. */
  readonly watchEveryMs: number;
}

/** The stream of a call's answer; opened with the first message that comes before the answer. */
export type OpenStream = () => LiveStream;

/** The token of whoever asks; what is kept for one is no other's. */
export async function tokenIdOf(exchange: Exchange): Promise<string> {
  const { tokenId } = await askerOf(exchange);
  if (tokenId === null) throw new TypeError("The connector over HTTP knows every caller by a token.");
  return tokenId;
}

/** Gives an exchange what the client of this request can do beside reading its answer. */
export function equip(
  exchange: Exchange,
  { params = {}, method }: Request,
  era: Era,
  session: Session | null,
  stream: OpenStream | null,
  dialogues: Dialogues,
): void {
  const { store, sealer, clock, levels } = dialogues;
  const meta = params["_meta"];
  const send = stream && ((message: object): void => stream().send(message));
  if (send) exchange.notify = (name, told) => send({ jsonrpc: "2.0", method: name, params: told });
  if (era.name === "modern") {
    const holder = (): Promise<string> => tokenIdOf(exchange);
    exchange.person = personInRounds({ method, params, sealer, holder, now: clock });
    const least = isJsonObject(meta) ? meta[metaKey.logLevel] : undefined;
    if (send && isLogLevel(least))
      exchange.log = async (level, data) => {
        if (isWanted(level, least)) send(logMessage(level, data));
      };
    return;
  }
  if (session === null) return;
  const { name } = session;
  const key = async (): Promise<DialogueKey> => ({ tokenId: await tokenIdOf(exchange), session: name });
  exchange.session = sessionFor(key, name, dialogues);
  if (stream === null || send === null) return;
  if (levels.known(name) !== null)
    exchange.log = async (level, data) => {
      const least = await levels.of(name, async () => store.logLevel(await key()));
      if (isWanted(level, least)) send(logMessage(level, data));
    };
  if (session.asks)
    exchange.person = waitingPerson({ store, clock, stream, tokenId: () => tokenIdOf(exchange) });
}

const sessionFor = (
  key: () => Promise<DialogueKey>,
  name: string,
  { store, clock, levels }: Dialogues,
): ClientSession => ({
  setLogLevel: async (level) => {
    await store.setLogLevel(await key(), level, clock());
    levels.note(name, level);
  },
  watch: async (watched) => store.watch(await key(), watched, clock()),
  unwatch: async (uri) => store.unwatch(await key(), uri),
});
