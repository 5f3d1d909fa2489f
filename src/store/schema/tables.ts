import type { SeriesField } from "../../core/metric/sample.ts";
import type { ActivityTables } from "./activity.ts";
import type { BenchmarkTables } from "./benchmarks.ts";
import type { DialogueTables } from "./dialogue.ts";
import type { Flag, MonitoringTables } from "./monitoring.ts";
import type { OAuthTables } from "./oauth.ts";
import type { PeopleTables } from "./sign-in.ts";
import type { ProfileTables } from "./profiles.ts";
import type { SecurityLogTables } from "./security-log.ts";
import type { ServiceLogTables } from "./service-log.ts";

interface AccountTable {
  id: string;
  email: string;
  email_verified: Flag;
  plan: string;
  role: string;
  password_hash: string | null;
  created_at: number;
  kept_plan: string | null;
  kept_plan_until: number | null;
  /** Browsers are remembered for one generation; it is raised to forget all of them. */
  device_generation: number;
}

interface ApiTokenTable {
  id: string;
  account_id: string;
  name: string;
  kind: string;
  digest: string;
  scopes: string;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
  last_used_at: number | null;
  /** Filled for a connector alone: the program that the grant was given to. */
  client_id: string | null;
  client_name: string | null;
  client_host: string | null;
}

interface RateWindowTable {
  kind: string;
  key: string;
  opened_at: number;
  used: number;
}

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

interface WriteReplayTable {
  account_id: string;
  route: string;
  /** The Idempotency-Key, or the body's own fingerprint where there is none. */
  slot: string;
  body_digest: string;
  resource_id: string;
  resource_updated_at: number;
  created_at: number;
}

type SampleTable = { server_id: string; sampled_at: number; received_at: number; detail: string | null } & {
  [Field in SeriesField]: number | null;
};

interface ReportTable {
  id: string;
  short_id: string;
  author_id: string | null;
  server_id: string | null;
  local_id: string;
  visibility: string;
  source: string;
  benchmark_mode: string;
  server_type: string | null;
  certified_at: number | null;
  certificate_expires_at: number | null;
  created_at: number;
  finished_at: number;
  expires_at: number | null;
  description: string | null;
  private_notes: string | null;
  content: string;
  payload: string;
  job_id: string | null;
}

export interface Tables
  extends
    ActivityTables,
    BenchmarkTables,
    DialogueTables,
    MonitoringTables,
    OAuthTables,
    PeopleTables,
    ProfileTables,
    SecurityLogTables,
    ServiceLogTables {
  account: AccountTable;
  api_token: ApiTokenTable;
  rate_window: RateWindowTable;
  server: ServerTable;
  server_credential: ServerCredentialTable;
  retired_credential: RetiredCredentialTable;
  link_code: LinkCodeTable;
  server_group: ServerGroupTable;
  write_replay: WriteReplayTable;
  sample: SampleTable;
  report: ReportTable;
}
