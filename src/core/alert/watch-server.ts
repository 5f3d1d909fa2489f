import { onlineWithinMs } from "../server/status.ts";
import type { Instant } from "../time.ts";
import type { RuleProgress } from "./alert-rule.ts";
import type { WatchedServer } from "./fact.ts";
import { believed, recoveryMs, settled, type AlertStep } from "./step.ts";
import type { OpenAlert } from "./verdict.ts";

export function watchServer(
  durationMs: number,
  progress: RuleProgress,
  open: OpenAlert | null,
  server: WatchedServer,
  now: Instant,
): AlertStep {
  if (server.status === "online") return open ? whileBack(progress, server, now) : settled("ok");
  // A server whose plugin announced a stop, or never sent anything, is not down.
  if (server.state === "paused") {
    return settled("no_data", open && { kind: "resolve", reason: "monitoring_off" });
  }
  if (server.state === "never_seen")
    return settled("no_data", open && { kind: "resolve", reason: "no_data" });
  if (open) return settled("firing");
  const since = silentSince(progress, server, now);
  if (now - since < durationMs) return { ...settled("pending"), pendingSince: since };
  return settled("firing", { kind: "open", pendingSince: since, value: null });
}

/** Start of the silence: the start of the state, or 90 s after monitoring was resumed. */
function silentSince(progress: RuleProgress, { stateSince }: WatchedServer, now: Instant): Instant {
  const since = believed(stateSince, now) ?? believed(progress.pendingSince, now) ?? now;
  const { resumedAt } = progress;
  return resumedAt !== null && resumedAt > since ? resumedAt + onlineWithinMs : since;
}

function whileBack(progress: RuleProgress, { lastHeartbeat }: WatchedServer, now: Instant): AlertStep {
  const seen = Math.min(lastHeartbeat ?? now, now);
  const since = believed(progress.recoveringSince, now) ?? seen;
  if (now - since >= recoveryMs && seen > since)
    return settled("ok", { kind: "resolve", reason: "recovered" });
  return { ...settled("firing"), recoveringSince: since };
}
