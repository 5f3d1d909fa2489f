import { createSocket } from "node:dgram";
import { isIPv6 } from "node:net";
import type { ServerInstall } from "../install/server-install.ts";
import { readUnconnectedPong, unconnectedPing, type ListedBedrock } from "./raknet-packets.ts";
import type { Finding, Source } from "./source.ts";

/** The network may lose a packet, ms. */
const againMs = 1000;
const patienceMs = 5000;
const about: Finding["about"] = "server list ping";

/** Asks like a Bedrock client's server list whether the server answers, and for the number of players. */
export function raknetPingSource(install: ServerInstall): Source {
  const { host, port } = install;
  const ping = (signal: AbortSignal): Promise<ListedBedrock> =>
    pingOnce({ host, port }, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]));

  return {
    name: "server list ping",
    async check(signal) {
      try {
        return [findingOf(await ping(signal), port)];
      } catch (error) {
        return [{ able: false, about, says: error instanceof Error ? error.message : "It does not answer." }];
      }
    },
    async read(_now, signal) {
      const { online } = await ping(signal);
      return online === null ? {} : { measured: { player_count: online } };
    },
    async close() {},
  };
}

function findingOf({ edition, name, version, online, most, ports }: ListedBedrock, port: number): Finding {
  const what = [edition === "MCEE" ? "Education Edition" : "Bedrock Edition", version]
    .filter(Boolean)
    .join(" ");
  const shows = online === null ? "hides the number of players" : `${online} of ${most ?? "?"} players`;
  const listed = [ports.v4, ports.v6].filter((one) => one !== null && one !== port);
  const others = listed.length > 0 ? ` It names port ${[...new Set(listed)].join(" and ")} too.` : "";
  return {
    able: true,
    about,
    says: `Answers on UDP port ${port}: ${what}, ${shows}${name === null ? "" : `, named "${name}"`}.${others}`,
  };
}

function pingOnce(
  { host, port }: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<ListedBedrock> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(host) ? "udp6" : "udp4");
    const time = BigInt(Math.floor(performance.now()));
    const ask = (): void => socket.send(unconnectedPing(time), () => undefined);
    let isConnected = false;
    const again = setInterval(() => isConnected && ask(), againMs).unref();
    const finish = (result: ListedBedrock | Error): void => {
      clearInterval(again);
      signal.removeEventListener("abort", onAbort);
      socket.removeAllListeners();
      // A late error of the socket must not end the process.
      socket.on("error", () => undefined);
      socket.close();
      if (result instanceof Error) reject(result);
      else resolve(result);
    };
    const onAbort = (): void => finish(new Error(`No server answers on UDP port ${port}.`));
    signal.addEventListener("abort", onAbort);
    socket.on("error", onAbort);
    socket.on("message", (bytes) => {
      const listed = readUnconnectedPong(bytes, time);
      if (listed) finish(listed);
    });
    // Only packets of this server arrive, and the system reports a closed port.
    socket.connect(port, host, () => {
      isConnected = true;
      ask();
    });
    if (signal.aborted) onAbort();
  });
}
