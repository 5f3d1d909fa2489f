import type { Migration } from "../migration.ts";
import { accessTables } from "./access.ts";
import { accountTables } from "./accounts.ts";
import { alertTables } from "./alerts.ts";
import { benchmarkTables } from "./benchmarks.ts";
import { metricTables } from "./metrics.ts";
import { profileTables } from "./profiles.ts";
import { serverTables } from "./servers.ts";
import { serviceTables } from "./service.ts";

/**
 * All tables and indexes of the first release; a table comes after those it refers to. If two indexes suit a
 * statement equally, SQLite chooses by the order of their creation; the tests of statements without a sort
 * say which.
 */
export const schema: Migration = {
  id: 1,
  name: "schema",
  statements: [
    ...accountTables,
    ...accessTables,
    ...serverTables,
    ...metricTables,
    ...alertTables,
    ...benchmarkTables,
    ...profileTables,
    ...serviceTables,
  ],
};
