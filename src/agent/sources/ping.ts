import { connect } from "node:net";
import type { ServerInstall } from "../install/server-install.ts";
import { processIdentity } from "../process/find-process.ts";
import { retryBound } from "./retry-bound.ts";
import type { Finding, Source } from "./source.ts";
import {
  legacyRequest,
  longestStatus,
  readLegacyStatus,
  readStatus,
  statusRequest,
  type ListedServer,
} from "./ping-packets.ts";

/** A server on this machine answers within a tick; a proxy may ask its server first, ms. */
const patienceMs = 5000;

/** Asks like a client's server list whether the server answers, and for the number of players. */
export function pingSource(install: ServerInstall, elapsed?: () => number): Source {
  const { host, port } = install;
  const bounded = retryBound({
    enough: (error) => (error instanceof Unreachable ? Infinity : null),
    who: () => processIdentity(install),
    ...(elapsed && { elapsed }),
  });
  /** Servers before 1.7 know only the old request. */
  let isOld = false;

  const current = (signal: AbortSignal): Promise<ListedServer> =>
    sendRequest({ host, port }, statusRequest(host, port), readStatus, signal);
  const legacy = (signal: AbortSignal): Promise<ListedServer> =>
    sendRequest({ host, port }, legacyRequest, readLegacyStatus, signal);

  const pingOnce = async (signal: AbortSignal): Promise<ListedServer> => {
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

  const ping = (signal: AbortSignal): Promise<ListedServer> => bounded(() => pingOnce(signal));

  return {
    name: "server list ping",
    async check(signal) {
      try {
        const { online } = await ping(signal);
        return [
          {
            able: true,
            about,
            says: `Answers on port ${port}; ${online === null ? "hides the number of players" : "shows the number of players"}.`,
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
      const { online } = await ping(signal);
      return online === null ? {} : { measured: { player_count: online } };
    },
    async close() {},
  };
}

const about: Finding["about"] = "server list ping";

/** The connection was refused, so the other form of the request would fail too. */
class Unreachable extends Error {}

function sendRequest(
  address: { readonly host: string; readonly port: number },
  request: Buffer,
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
    const onAbort = (): void => finish(new Error("The server accepts the connection, but does not answer."));
    patience.addEventListener("abort", onAbort);
    socket.on("connect", () => {
      isConnected = true;
      socket.write(request);
    });
    socket.on("error", (error: NodeJS.ErrnoException) =>
      finish(
        isConnected
          ? new Error("The server broke the connection.")
          : new Unreachable(`No server answers on port ${address.port} (${error.code ?? "no connection"}).`),
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
