import { connect } from "node:net";
import type { ServerInstall } from "../install/server-install.ts";
import type { Finding, Source } from "./source.ts";
import {
  legacyRequest,
  longestStatus,
  readLegacyStatus,
  readStatus,
  statusRequest,
  type ListedServer,
} from "./ping-packets.ts";

/** A server on the same machine answers within a tick; a proxy in front of it may ask it first, ms. */
const patienceMs = 5000;

/** What the server tells every client's server list: that it answers, and how many are on. */
export function pingSource({ host, port }: ServerInstall): Source {
  /** Servers of before 1.7 know only the old question. */
  let isOld = false;

  const current = (signal: AbortSignal): Promise<ListedServer> =>
    exchange({ host, port }, statusRequest(host, port), readStatus, signal);
  const legacy = (signal: AbortSignal): Promise<ListedServer> =>
    exchange({ host, port }, legacyRequest, readLegacyStatus, signal);

  const ask = async (signal: AbortSignal): Promise<ListedServer> => {
    try {
      return await (isOld ? legacy(signal) : current(signal));
    } catch (error) {
      if (error instanceof Unreachable || signal.aborted) throw error;
      const listed = await (isOld ? current(signal) : legacy(signal)).catch(() => null);
      if (!listed) throw error;
      isOld = !isOld;
      return listed;
    }
  };

  return {
    name: "server list ping",
    async check(signal) {
      try {
        const { online } = await ask(signal);
        return [
          {
            able: true,
            about,
            says: `Answers on port ${port}; ${online === null ? "hides how many are on" : "tells how many are on"}.`,
          },
        ];
      } catch (error) {
        const why = error instanceof Error ? error.message : "It does not answer.";
        return [
          { able: false, about, says: `${why} enable-status=true in server.properties lets it answer.` },
        ];
      }
    },
    async read(_now, signal) {
      const { online } = await ask(signal);
      return online === null ? {} : { measured: { player_count: online } };
    },
    async close() {},
  };
}

const about: Finding["about"] = "server list ping";

/** Nobody takes the connection: another question changes nothing. */
class Unreachable extends Error {}

/** Sends one question and reads until `read` has its answer. */
function exchange(
  address: { readonly host: string; readonly port: number },
  question: Buffer,
  read: (bytes: Buffer) => ListedServer | null,
  signal: AbortSignal,
): Promise<ListedServer> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  return new Promise<ListedServer>((resolve, reject) => {
    const socket = connect(address);
    let isConnected = false;
    let arrived = Buffer.alloc(0);
    const finish = (result: ListedServer | Error): void => {
      patience.removeEventListener("abort", onAbort);
      socket.destroy();
      if (result instanceof Error) reject(result);
      else resolve(result);
    };
    const onAbort = (): void => finish(new Error("The server takes the connection and does not answer."));
    patience.addEventListener("abort", onAbort);
    socket.on("connect", () => {
      isConnected = true;
      socket.write(question);
    });
    socket.on("error", (error: NodeJS.ErrnoException) =>
      finish(
        isConnected
          ? new Error("The server broke the connection.")
          : new Unreachable(`Nobody answers on port ${address.port} (${error.code ?? "no connection"}).`),
      ),
    );
    socket.on("close", () => finish(new Error("The server closed the connection without an answer.")));
    socket.on("data", (bytes) => {
      try {
        arrived = Buffer.concat([arrived, bytes]);
        const listed = read(arrived);
        if (listed) finish(listed);
        else if (arrived.length > longestStatus) finish(new Error("The server's answer is too long."));
      } catch (error) {
        finish(error instanceof Error ? error : new Error("The server's answer cannot be read."));
      }
    });
    if (patience.aborted) onAbort();
  });
}
