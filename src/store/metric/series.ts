import type { SeriesStore } from "../../core/metric/store.ts";
import type { Database } from "../engine/database.ts";
import { readPoints } from "./series-points.ts";
import { prune } from "./series-prune.ts";
import { rollUp } from "./series-rollup.ts";

export const seriesStore = (db: Database): SeriesStore => ({
  points: (serverId, from, to, fields) => readPoints(db, serverId, from, to, fields),
  rollUp: (now) => rollUp(db, now),
  prune: (now, plans) => prune(db, now, plans),
});
