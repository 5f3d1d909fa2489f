import type { AccessTables } from "../access/tables.ts";
import type { serverEventTable } from "../event/server-event-table.ts";
import type { RowOf } from "../engine/table.ts";
import type { maintenanceTable } from "../maintenance/maintenance-table.ts";
import type { MemoryReportTables } from "../memory-report/tables.ts";
import type { ProfileTables } from "../profile/tables.ts";
import type { reportTable } from "../report/report-table.ts";
import type { securityLogTable } from "../security-log/security-log-table.ts";
import type { serviceLogTable } from "../service-log/service-log-table.ts";
import type { unitTestTable } from "../unit-test/unit-test-table.ts";
import type { SeriesField } from "../../core/metric/sample.ts";
import type { BenchmarkTables } from "./benchmarks.ts";
import type { Flag, MonitoringTables } from "./monitoring.ts";

interface ServerTable {
  id: string;
  /** Null once it is unlinked. */
  account_id: string | null;
  /** Who linked it last. */
  linked_by: string;
  /** What speaks for it: `plugin` or `agent`. */
  sender: string;
  /** Until when the data of an unlinked server stays; null while it is linked. */
  kept_until: number | null;
  installation_id: string;
  name: string | null;
  verified_at: number | null;
  is_public: Flag;
  monitoring_enabled: Flag;
  show_address_on_report: Flag;
  notify_on_report: Flag;
  address: string | null;
  port: number | null;
  group_id: string | null;
  linked_at: number;
  created_at: number;
  last_heartbeat: number | null;
  announcement: string | null;
  announced_at: number | null;
  boot_timestamp: number | null;
  last_tick_age_ms: number | null;
  paused_since: number | null;
  last_rejected_at: number | null;
  sampled_at: number | null;
  sample_received_at: number | null;
  sample: string | null;
  offer_id: string | null;
  regression_since: number | null;
  collect_profile_until: number | null;
  collect_histogram_until: number | null;
}

interface ServerCredentialTable {
  digest: string;
  server_id: string;
  claim_digest: string;
  created_at: number;
  first_used_at: number | null;
  revoked_at: number | null;
}

/** What is left of a deleted server's credential. */
interface RetiredCredentialTable {
  digest: string;
  revoked_at: number;
}

interface LinkCodeTable {
  code: string;
  installation_id: string;
  claim_digest: string;
  facts: string;
  created_at: number;
  expires_at: number;
  used_by: string | null;
  server_id: string | null;
}

interface ServerGroupTable {
  id: string;
  account_id: string;
  name: string;
  color: string | null;
  sort_order: number;
  created_at: number;
  updated_at: number;
}

type SampleTable = { server_id: string; sampled_at: number; received_at: number; detail: string | null } & {
  [Field in SeriesField]: number | null;
};

export interface Tables
  extends AccessTables, BenchmarkTables, MemoryReportTables, MonitoringTables, ProfileTables {
  server: ServerTable;
  server_credential: ServerCredentialTable;
  retired_credential: RetiredCredentialTable;
  link_code: LinkCodeTable;
  server_group: ServerGroupTable;
  sample: SampleTable;
  maintenance: RowOf<typeof maintenanceTable>;
  report: RowOf<typeof reportTable>;
  security_log: RowOf<typeof securityLogTable>;
  server_event: RowOf<typeof serverEventTable>;
  service_log: RowOf<typeof serviceLogTable>;
  unit_test: RowOf<typeof unitTestTable>;
}
