import { findServer, type FoundServer } from "../agent/install/find-server.ts";
import { oneLine } from "../agent/one-line.ts";
import { pingSource } from "../agent/sources/ping.ts";

/** 0 if the server hides the number; null if none answers, with the reason in `tell`. */
export async function playersOnline(
  server: FoundServer,
  signal: AbortSignal,
  tell: (line: string) => void,
): Promise<number | null> {
  try {
    const ping = pingSource(await findServer(server));
    const { measured } = await ping.read(Date.now(), signal);
    return measured?.player_count ?? 0;
  } catch (error) {
    signal.throwIfAborted();
    tell(`The server does not answer a ping, so no player is online (${oneLine(error)}).`);
    return null;
  }
}
