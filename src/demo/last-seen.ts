import { call } from "../contract/call/call.ts";
import type { AppContext } from "../contract/call/app-context.ts";
import type { Instant } from "../core/time.ts";
import { sendHeartbeat } from "../endpoints/plugin/send-heartbeat.ts";
import { heartbeatAt } from "./live.ts";
import type { DemoServer } from "./server.ts";
import { lastSampleAt } from "./history.ts";

/** Sets the clock to the server's last sample: over the network, the heartbeat would be received now. */
export async function sendLastHeartbeats(
  app: AppContext,
  servers: readonly DemoServer[],
  start: Instant,
): Promise<void> {
  for (const server of servers) {
    const at = lastSampleAt(server, start);
    const then: AppContext = { ...app, clock: () => at };
    const outcome = await call(then, sendHeartbeat, {
      credentials: { authorization: `Bearer ${server.authToken}`, address: "127.0.0.1" },
      input: () => ({ ...heartbeatAt(server, at) }),
      requestId: "demo",
    });
    if (!outcome.ok) throw outcome.refusal;
  }
}
