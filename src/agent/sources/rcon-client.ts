import { connect, type Socket } from "node:net";
import { rconPacket, rconPackets, rconType, type RconPacket } from "./rcon-packets.ts";

export interface RconAddress {
  readonly host: string;
  readonly port: number;
  readonly password: string;
}

/** The password was refused; a new attempt is useless until it is changed. */
export class RconRefused extends Error {}

/** Nobody listens on the port, so no log has a line about the attempt. */
export class RconAbsent extends Error {}

/** The connection is open, but the game's main thread is too busy to answer the command. */
export class RconSilence extends Error {}

export interface RconConnection {
  readonly isOpen: boolean;
  /** How long the unanswered command has waited, ms; null if there is none. */
  waitingMs(): number | null;
  /** How long the last answer took, ms; null before the first. */
  lastAnswerMs(): number | null;
  /** Rejects with RconSilence after `waitMs`; the command then still waits, and no other is sent. */
  execute(command: string, signal: AbortSignal, waitMs?: number): Promise<string>;
  close(): void;
}

/** What a server showed of itself; it holds for later connections too. */
export interface RconManners {
  /** Whether it answers the packet that marks the end of an answer; null while it is not known. */
  takesMark: boolean | null;
  /** It confirms each command by an empty packet before it answers. */
  confirms: boolean;
}

export const unknownManners = (): RconManners => ({ takesMark: null, confirms: false });

/** For the connection with the password, and for each command, ms. A healthy game answers within one tick. */
const patienceMs = 5000;
/** For the answer to the end mark, ms; after a timeout no mark is sent any more. */
const endMs = 1000;
/** A Minecraft server cuts answers at this length, bytes: a shorter packet is the last one. */
const fullPacket = 4096;
/** The rest of a longer answer is left out, bytes. */
const longestAnswer = 256 * 1024;

interface Question {
  readonly id: number;
  readonly endId: number;
  readonly sentAt: number;
  readonly parts: Buffer[];
  bytes: number;
  isMarked: boolean;
  readonly settle: (answer: string | Error) => void;
}

/** Connects and gives the password. Rejects in one sentence, never with the password in it. */
export async function connectRcon(
  { host, port, password }: RconAddress,
  signal: AbortSignal,
  manners: RconManners = unknownManners(),
): Promise<RconConnection> {
  const socket = connect({ host, port });
  socket.setNoDelay(true);
  try {
    await answered(socket, password, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]));
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return new Conversation(socket, manners);
}

const passwordId = 1;

/** Resolves once the server accepted the password. */
function answered(socket: Socket, password: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const read = rconPackets();
    const finish = (error?: Error): void => {
      socket.removeAllListeners();
      signal.removeEventListener("abort", onAbort);
      // Without a listener, an error of the socket would end the process.
      socket.on("error", () => undefined);
      if (error) reject(error);
      else resolve();
    };
    const onAbort = (): void => finish(new Error("RCON did not answer in time."));
    signal.addEventListener("abort", onAbort);
    socket.once("connect", () => socket.write(rconPacket(passwordId, rconType.password, password)));
    socket.once("error", (error: NodeJS.ErrnoException) =>
      finish(new RconAbsent(`RCON cannot be reached (${error.code ?? "no connection"}).`)),
    );
    socket.once("close", () => finish(new Error("RCON closed the connection before it took the password.")));
    socket.on("data", (bytes) => {
      try {
        const answer = read(bytes).find(({ type }) => type === rconType.command);
        if (!answer) return;
        if (answer.id === passwordId) finish();
        else finish(new RconRefused("RCON refused the password: the running server has another one."));
      } catch (error) {
        finish(error instanceof Error ? error : new Error("RCON cannot be read."));
      }
    });
    if (signal.aborted) onAbort();
  });
}

class Conversation implements RconConnection {
  readonly #socket: Socket;
  readonly #read = rconPackets();
  #open = true;
  #question: Question | null = null;
  #lastId = passwordId;
  #lastAnswerMs: number | null = null;
  readonly #manners: RconManners;
  #endTimer: NodeJS.Timeout | undefined;

  constructor(socket: Socket, manners: RconManners) {
    this.#socket = socket;
    this.#manners = manners;
    socket.on("close", () => this.#closed());
    socket.on("error", () => this.#end(new Error("The connection to RCON broke.")));
    socket.on("data", (bytes) => {
      try {
        for (const packet of this.#read(bytes)) this.#take(packet);
      } catch (error) {
        this.#end(error instanceof Error ? error : new Error("RCON cannot be read."));
      }
    });
  }

  get isOpen(): boolean {
    return this.#open;
  }

  waitingMs(): number | null {
    return this.#question && performance.now() - this.#question.sentAt;
  }

  lastAnswerMs(): number | null {
    return this.#lastAnswerMs;
  }

  execute(command: string, signal: AbortSignal, waitMs = patienceMs): Promise<string> {
    return new Promise((resolve, reject) => {
      if (!this.#open) return reject(new Error("The connection to RCON is closed."));
      if (this.#question) return reject(new RconSilence("The game has not answered RCON yet."));
      const patience = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
      const onAbort = (): void => reject(new RconSilence("The game does not answer RCON."));
      const settle = (answer: string | Error): void => {
        patience.removeEventListener("abort", onAbort);
        if (typeof answer === "string") resolve(answer);
        else reject(answer);
      };
      patience.addEventListener("abort", onAbort);
      this.#lastId += 2;
      const id = this.#lastId;
      this.#question = {
        id,
        endId: id + 1,
        sentAt: performance.now(),
        parts: [],
        bytes: 0,
        isMarked: false,
        settle,
      };
      this.#socket.write(rconPacket(id, rconType.command, command));
    });
  }

  close(): void {
    this.#end(new Error("The connection to RCON was closed."));
  }

  #take({ id, type, body }: RconPacket): void {
    const question = this.#question;
    if (!question) return;
    if (id === question.endId) {
      this.#manners.takesMark = true;
      return this.#complete(question);
    }
    if (id !== question.id) return;
    // The game's own console answers in packets of another type.
    if (type === rconType.command) this.#manners.confirms = true;
    const isFirst = question.parts.length === 0;
    if (isFirst || question.bytes < longestAnswer) question.parts.push(body);
    question.bytes += body.length;
    if (this.#manners.confirms) return this.#takeConfirmed(question);
    if (isFirst) this.#lastAnswerMs = performance.now() - question.sentAt;
    const mayBeMarked = this.#manners.takesMark !== false;
    if (!mayBeMarked && body.length > 0 && body.length < fullPacket) return this.#complete(question);
    // Only now: a Minecraft server drops a connection if two packets arrive together.
    if (isFirst && mayBeMarked) {
      question.isMarked = true;
      this.#socket.write(rconPacket(question.endId, rconType.answer, ""));
    }
    clearTimeout(this.#endTimer);
    this.#endTimer = setTimeout(() => {
      this.#manners.takesMark = false;
      this.#complete(question);
    }, endMs).unref();
  }

  /** Such a server never cuts an answer, and its network thread, not the game, sends the empty packet. */
  #takeConfirmed(question: Question): void {
    if (question.bytes === 0 && question.parts.length < 2) return;
    this.#lastAnswerMs = performance.now() - question.sentAt;
    this.#complete(question);
  }

  /** A server that closes on the mark has sent its answer before. */
  #closed(): void {
    const question = this.#question;
    if (question?.isMarked && this.#manners.takesMark === null) {
      this.#manners.takesMark = false;
      if (question.bytes > 0) this.#complete(question);
    }
    this.#end(new Error("RCON closed the connection."));
  }

  #complete({ parts, settle }: Question): void {
    clearTimeout(this.#endTimer);
    this.#question = null;
    settle(Buffer.concat(parts).toString("utf8"));
  }

  #end(reason: Error): void {
    this.#open = false;
    clearTimeout(this.#endTimer);
    this.#socket.destroy();
    this.#question?.settle(reason);
    this.#question = null;
  }
}
