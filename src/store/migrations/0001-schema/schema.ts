import type { Migration } from "../migration.ts";
import { access } from "./access.ts";
import { accounts } from "./accounts.ts";
import { alerts } from "./alerts.ts";
import { benchmarks } from "./benchmarks.ts";
import { metrics } from "./metrics.ts";
import { profiles } from "./profiles.ts";
import { servers } from "./servers.ts";
import { service } from "./service.ts";

/** All tables and indexes of the first release; a table stands after those that it refers to. */
export const schema: Migration = {
  id: 1,
  name: "schema",
  statements: [
    ...accounts,
    ...access,
    ...servers,
    ...metrics,
    ...alerts,
    ...benchmarks,
    ...profiles,
    ...service,
  ],
};
