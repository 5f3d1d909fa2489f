import type { Trace } from "../event/trace.ts";
import type { Instant } from "../time.ts";
import type { GrantedWindow, MaintenanceRecord, MaintenanceRequest } from "./maintenance.ts";

export interface MaintenanceStore {
  /** The last window written for the server, over or not. */
  find(serverId: string): Promise<MaintenanceRecord | null>;
  /** Starts a window or extends the one in progress; `traceOf` says what the act leaves behind. */
  start(
    request: MaintenanceRequest,
    traceOf: (granted: GrantedWindow) => Trace | null,
  ): Promise<GrantedWindow>;
  /** False when no window was in progress. */
  end(serverId: string, now: Instant): Promise<boolean>;
}
