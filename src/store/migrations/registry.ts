import { spine } from "./0001-spine.ts";
import { monitoring } from "./0002-monitoring.ts";
import { benchmarks } from "./0003-benchmarks.ts";
import { profileTables } from "./0004-profiles.ts";
import { people } from "./0005-people.ts";
import { activity } from "./0006-activity.ts";
import { leaving } from "./0007-leaving.ts";
import { oauth } from "./0008-oauth.ts";
import { pendingAddresses } from "./0009-pending-addresses.ts";
import { collections } from "./0010-collections.ts";
import { addServiceLog } from "./0011-service-log.ts";
import { dialogues } from "./0012-dialogues.ts";
import { retries } from "./0013-retries.ts";
import { addSecurityLog } from "./0014-security-log.ts";
import { readings } from "./0015-readings.ts";
import { windowsAndQuestions } from "./0016-windows-and-questions.ts";
import { senders } from "./0017-senders.ts";
import { addServerSoftware } from "./0018-server-software.ts";
import { addServerHealth } from "./0019-server-health.ts";
import { softwareChangeTimes } from "./0020-software-changes.ts";
import { eventsByType } from "./0021-events-by-type.ts";
import { countBaselines } from "./0022-count-baselines.ts";
import { weeklyDigest } from "./0023-weekly-digest.ts";
import { reportStandings } from "./0024-report-standings.ts";
import { monitoringTransitions } from "./0025-monitoring-transitions.ts";
import { monitoringOrder } from "./0026-monitoring-order.ts";
import { sampleBlocks } from "./0027-sample-blocks.ts";
import { signedWebhooks } from "./0028-signed-webhooks.ts";
import { statusPages } from "./0029-status-pages.ts";
import { recurringMaintenance } from "./0030-recurring-maintenance.ts";
import { secondFactor } from "./0031-second-factor.ts";
import { heapLows } from "./0032-heap-lows.ts";
import { reportLists } from "./0033-report-lists.ts";
import { passkeys } from "./0034-passkeys.ts";
import { reportLabels } from "./0035-report-labels.ts";
import { profileLinks } from "./0036-profile-links.ts";
import { secretCheck } from "./0037-secret-check.ts";
import { wrongFactors } from "./0038-wrong-factors.ts";
import { databaseIdentity } from "./0039-database-identity.ts";
import { listFilters } from "./0040-list-filters.ts";
import { sessionProof } from "./0041-session-proof.ts";
import type { Migration } from "./migration.ts";

/** Every step, oldest first. */
export const migrations: readonly Migration[] = [
  spine,
  monitoring,
  benchmarks,
  profileTables,
  people,
  activity,
  leaving,
  oauth,
  pendingAddresses,
  collections,
  addServiceLog,
  dialogues,
  retries,
  addSecurityLog,
  readings,
  windowsAndQuestions,
  senders,
  addServerSoftware,
  addServerHealth,
  softwareChangeTimes,
  eventsByType,
  countBaselines,
  weeklyDigest,
  reportStandings,
  monitoringTransitions,
  monitoringOrder,
  sampleBlocks,
  signedWebhooks,
  statusPages,
  recurringMaintenance,
  secondFactor,
  heapLows,
  reportLists,
  passkeys,
  reportLabels,
  profileLinks,
  secretCheck,
  wrongFactors,
  databaseIdentity,
  listFilters,
  sessionProof,
];

/** The id of the newest migration that this program knows. */
export const newestMigration: number = Math.max(...migrations.map(({ id }) => id));
