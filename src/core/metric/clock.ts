import { dayMs, type Instant } from "../time.ts";

/** Plugins send a heartbeat every 30 seconds; three missed are the 90 s after which a server is offline. */
export const heartbeatSeconds = 30;

/** A plugin's clock is believed within five minutes of ours. */
export const clockToleranceMs = 5 * 60 * 1000;

/** The plugin's time of a sample, or that of its receipt if the plugin's clock is off. */
export const settleClock = (sampledAt: Instant, receivedAt: Instant): Instant =>
  Math.abs(sampledAt - receivedAt) <= clockToleranceMs ? sampledAt : receivedAt;

export const retainedFrom = (retentionDays: number, now: Instant): Instant => now - retentionDays * dayMs;
