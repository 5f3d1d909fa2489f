import type { SampleStore } from "../../core/server/store.ts";
import { recordHeartbeat, storeLateSamples } from "./record-heartbeat.ts";
import type { Database } from "../../store/engine/database.ts";

export const sampleStore = (db: Database): SampleStore => ({
  recordHeartbeat: (heartbeat) => db.write("saved", () => recordHeartbeat(heartbeat)),
  storeLate: (...request) => db.write("saved", () => storeLateSamples(...request)),
});
