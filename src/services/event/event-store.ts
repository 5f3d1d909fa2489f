import type { EventStore } from "../../core/event/store.ts";
import { recordEvents } from "./record-events.ts";
import type { Database } from "../../store/engine/database.ts";
import { eventReads } from "../../store/event/timeline.ts";

export const eventStore = (db: Database): EventStore => ({
  ...eventReads(db),
  record: (...request) => db.write("saved", () => recordEvents(...request)),
});
