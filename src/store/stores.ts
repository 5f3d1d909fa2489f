import { accountStore } from "./access/accounts.ts";
import { activityStore } from "./access/activity.ts";
import { autoBenchJobStore } from "./auto-bench/jobs.ts";
import { targetStore } from "./auto-bench/targets.ts";
import { connectorStore } from "./access/connectors.ts";
import { alertRuleStore } from "./alert/alert-rules.ts";
import { alertStore } from "./alert/alerts.ts";
import { collectionStore } from "./server/collections.ts";
import { one, type Database } from "./engine/database.ts";
import { dialogueStore } from "./access/dialogues.ts";
import { accountDirectory } from "./access/directory.ts";
import { eventRuleStore } from "./alert/event-rules.ts";
import { groupStore } from "./server/groups.ts";
import { installationStore } from "./job/installation.ts";
import { jobStore } from "./job/jobs.ts";
import { leavingStore } from "./access/leaving.ts";
import { linkStore } from "./server/links.ts";
import { maintenanceStore } from "./maintenance/maintenance.ts";
import { memoryReportStore } from "./memory-report/memory-reports.ts";
import { noticeStore } from "./notice/notices.ts";
import { offerCatalogue } from "./offer/offer-catalogue.ts";
import { offerStore } from "./offer/offers.ts";
import { overviewStore } from "./monitoring/overview.ts";
import { oneTimeCodeStore } from "./access/one-time-codes.ts";
import { openPostgres } from "./engine/postgres.ts";
import { profileStore } from "./profile/profiles.ts";
import { pruneStore } from "./job/prune.ts";
import { query } from "./engine/query.ts";
import { rehearsed } from "./engine/rehearsal.ts";
import { rateWindowStore } from "./access/rate-windows.ts";
import { sentFormStore } from "./access/sent-forms.ts";
import { regressionStore } from "./report/regressions.ts";
import { reportStore } from "./report/reports.ts";
import { runnerStore } from "./auto-bench/runners.ts";
import { sampleStore } from "./metric/samples.ts";
import { sessionStore } from "./access/sessions.ts";
import { seriesStore } from "./metric/series.ts";
import { serverStore } from "./server/servers.ts";
import { securityLogStore } from "./security-log/security-log.ts";
import { serviceLogStore } from "./service-log/service-log.ts";
import { openSqlite } from "./engine/sqlite.ts";
import { eventStore } from "./event/timeline.ts";
import { tokenStore } from "./access/tokens.ts";
import { unitTestStore } from "./unit-test/unit-tests.ts";

/** Every store of the service over one database. */
export const storesOn = (database: Database) => {
  const db = rehearsed(database);
  return {
    accounts: accountStore(db),
    directory: accountDirectory(db),
    tokens: tokenStore(db),
    sessions: sessionStore(db),
    connectors: connectorStore(db),
    dialogues: dialogueStore(db),
    codes: oneTimeCodeStore(db),
    activity: activityStore(db),
    rates: rateWindowStore(db),
    forms: sentFormStore(db),
    servers: serverStore(db),
    samples: sampleStore(db),
    series: seriesStore(db),
    links: linkStore(db),
    leaving: leavingStore(db),
    groups: groupStore(db),
    reports: reportStore(db),
    unitTests: unitTestStore(db),
    profiles: profileStore(db),
    memoryReports: memoryReportStore(db),
    collections: collectionStore(db),
    offers: offerStore(db),
    catalogue: offerCatalogue(db),
    events: eventStore(db),
    maintenance: maintenanceStore(db),
    overview: overviewStore(db),
    alertRules: alertRuleStore(db),
    eventRules: eventRuleStore(db),
    alerts: alertStore(db),
    notices: noticeStore(db),
    autoBenchTargets: targetStore(db),
    autoBenchJobs: autoBenchJobStore(db),
    runners: runnerStore(db),
    regressions: regressionStore(db),
    jobs: jobStore(db),
    installation: installationStore(db),
    serviceLog: serviceLogStore(db),
    securityLog: securityLogStore(db),
    prune: pruneStore(db),
  };
};

const probe = query<Record<string, never>>()((db) => db.selectFrom("account").select("id").limit(1));

/** Resolves when the database answers; rejects with Unavailable when it does not. */
export const ping = (db: Database): Promise<unknown> => db.read(() => one(probe, {}));

/** Opens `sqlite:PATH` or `postgres://…`. */
export function openDatabase(url: string, onError: (error: Error) => void): Promise<Database> {
  return url.startsWith("sqlite:")
    ? Promise.resolve(openSqlite(url.slice("sqlite:".length)))
    : openPostgres(url, onError);
}
