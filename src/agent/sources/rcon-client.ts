import { connect, type Socket } from "node:net";
import { rconPacket, rconPackets, rconType, type RconPacket } from "./rcon-packets.ts";

export interface RconAddress {
  readonly host: string;
  readonly port: number;
  readonly password: string;
}

/** The server knows another password; nothing to try again before somebody changed it. */
export class RconRefused extends Error {}

/** The connection stands, and the command is still without an answer: the game does not get round to it. */
export class RconSilence extends Error {}

export interface RconConnection {
  readonly isOpen: boolean;
  /** How long the one unanswered command has been waiting, ms; null when none is. */
  waitingMs(): number | null;
  /** How long the last answer took, ms; null before the first. */
  lastAnswerMs(): number | null;
  /** One at a time. Rejects with RconSilence when no answer came in time: the question then stays asked. */
  ask(command: string, signal: AbortSignal): Promise<string>;
  close(): void;
}

/** For the connection and the password, and for each command, ms. A healthy game answers within one tick. */
const patienceMs = 5000;
/** Longer than any answer that is worth reading; what comes beyond it is left out, bytes. */
const longestAnswer = 256 * 1024;

interface Question {
  readonly id: number;
  readonly endId: number;
  readonly askedAt: number;
  readonly parts: Buffer[];
  bytes: number;
  endAsked: boolean;
  settle: (answer: string | Error) => void;
}

/** Opens a connection and gives the password. Rejects in one sentence, never with the password in it. */
export async function connectRcon(
  { host, port, password }: RconAddress,
  signal: AbortSignal,
): Promise<RconConnection> {
  const socket = connect({ host, port });
  socket.setNoDelay(true);
  try {
    await answered(socket, password, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]));
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return conversation(socket);
}

const passwordId = 1;

/** Resolves when the server took the password. */
function answered(socket: Socket, password: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const read = rconPackets();
    const finish = (error?: Error): void => {
      socket.removeAllListeners();
      signal.removeEventListener("abort", onAbort);
      // A socket without a listener for errors would end the process.
      socket.on("error", () => undefined);
      if (error) reject(error);
      else resolve();
    };
    const onAbort = (): void => finish(new Error("RCON did not answer in time."));
    signal.addEventListener("abort", onAbort);
    socket.once("connect", () => socket.write(rconPacket(passwordId, rconType.password, password)));
    socket.once("error", (error: NodeJS.ErrnoException) =>
      finish(new Error(`RCON cannot be reached (${error.code ?? "no connection"}).`)),
    );
    socket.once("close", () => finish(new Error("RCON closed the connection before it took the password.")));
    socket.on("data", (bytes) => {
      try {
        const answer = read(bytes).find(({ type }) => type === rconType.command);
        if (!answer) return;
        if (answer.id === passwordId) finish();
        else finish(new RconRefused("RCON refused the password: it is not the one of the running server."));
      } catch (error) {
        finish(error instanceof Error ? error : new Error("RCON cannot be read."));
      }
    });
    if (signal.aborted) onAbort();
  });
}

function conversation(socket: Socket): RconConnection {
  const read = rconPackets();
  let open = true;
  let question: Question | null = null;
  let lastId = passwordId;
  let lastAnswerMs: number | null = null;

  const end = (reason: Error): void => {
    open = false;
    socket.destroy();
    question?.settle(reason);
    question = null;
  };

  const take = (packet: RconPacket): void => {
    if (!question) return;
    if (packet.id === question.id) {
      const room = longestAnswer - question.bytes;
      if (room > 0) question.parts.push(packet.body.subarray(0, room));
      question.bytes += packet.body.length;
      if (question.endAsked) return;
      lastAnswerMs = performance.now() - question.askedAt;
      // Only now: a Minecraft server drops a connection whose two packets arrive in one piece.
      question.endAsked = true;
      socket.write(rconPacket(question.endId, rconType.answer, ""));
    } else if (packet.id === question.endId) {
      question.settle(Buffer.concat(question.parts).toString("utf8"));
      question = null;
    }
  };

  socket.on("data", (bytes) => {
    try {
      for (const packet of read(bytes)) take(packet);
    } catch (error) {
      end(error instanceof Error ? error : new Error("RCON cannot be read."));
    }
  });
  socket.on("close", () => end(new Error("RCON closed the connection.")));
  socket.on("error", () => end(new Error("The connection to RCON broke.")));

  return {
    get isOpen() {
      return open;
    },
    lastAnswerMs: () => lastAnswerMs,
    waitingMs: () => (question === null ? null : performance.now() - question.askedAt),
    ask: (command, signal) =>
      new Promise((resolve, reject) => {
        if (!open) return reject(new Error("The connection to RCON is closed."));
        if (question) return reject(new RconSilence("The game has not answered RCON yet."));
        lastId += 2;
        const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
        const settle = (answer: string | Error): void => {
          patience.removeEventListener("abort", onAbort);
          if (typeof answer === "string") resolve(answer);
          else reject(answer);
        };
        const onAbort = (): void => reject(new RconSilence("The game does not answer RCON."));
        patience.addEventListener("abort", onAbort);
        question = {
          id: lastId,
          endId: lastId + 1,
          askedAt: performance.now(),
          parts: [],
          bytes: 0,
          endAsked: false,
          settle,
        };
        socket.write(rconPacket(lastId, rconType.command, command));
      }),
    close: () => end(new Error("The connection to RCON was closed.")),
  };
}
