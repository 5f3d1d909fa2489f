import type { ServerStore } from "../../core/server/store.ts";
import { changeServer } from "./change-server.ts";
import { switchMonitoring } from "../monitoring/switch-monitoring.ts";
import type { Database } from "../../store/engine/database.ts";
import { serverReads } from "../../store/server/servers.ts";

export const serverStore = (db: Database): ServerStore => ({
  ...serverReads(db),
  update: (...request) => db.write("saved", () => changeServer(...request)),
  setMonitoring: (change) => db.write("saved", () => switchMonitoring(change)),
});
