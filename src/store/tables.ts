import type { AccessTables } from "./access/tables.ts";
import type { AlertTables } from "./alert/tables.ts";
import type { AutoBenchTables } from "./auto-bench/tables.ts";
import type { RowOf } from "./engine/table.ts";
import type { serverEventTable } from "./event/server-event-table.ts";
import type { HealthTables } from "./health/tables.ts";
import type { jobTable } from "./job/job-table.ts";
import type { MaintenanceTables } from "./maintenance/tables.ts";
import type { MemoryReportTables } from "./memory-report/tables.ts";
import type { MetricTables } from "./metric/tables.ts";
import type { NoticeTables } from "./notice/tables.ts";
import type { OfferTables } from "./offer/tables.ts";
import type { ProfileTables } from "./profile/tables.ts";
import type { reportTable } from "./report/report-table.ts";
import type { reportStandingTable } from "./report/standing-table.ts";
import type { databaseIdentityTable } from "./transfer/database-identity-table.ts";
import type { securityLogTable } from "./security-log/security-log-table.ts";
import type { ServerTables } from "./server/tables.ts";
import type { serviceLogTable } from "./service-log/service-log-table.ts";
import type { serverSoftwareTable } from "./software/server-software-table.ts";
import type { StatusPageTables } from "./status-page/tables.ts";
import type { unitTestTable } from "./unit-test/unit-test-table.ts";

export interface Tables
  extends
    AccessTables,
    AlertTables,
    AutoBenchTables,
    HealthTables,
    MaintenanceTables,
    MemoryReportTables,
    MetricTables,
    NoticeTables,
    OfferTables,
    ProfileTables,
    ServerTables,
    StatusPageTables {
  database_identity: RowOf<typeof databaseIdentityTable>;
  job: RowOf<typeof jobTable>;
  report: RowOf<typeof reportTable>;
  report_standing: RowOf<typeof reportStandingTable>;
  security_log: RowOf<typeof securityLogTable>;
  server_event: RowOf<typeof serverEventTable>;
  server_software: RowOf<typeof serverSoftwareTable>;
  service_log: RowOf<typeof serviceLogTable>;
  unit_test: RowOf<typeof unitTestTable>;
}
