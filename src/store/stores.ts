import { accountStore } from "./accounts.ts";
import { activityStore } from "./activity.ts";
import { autoBenchJobStore } from "./auto-bench-jobs.ts";
import { targetStore } from "./auto-bench-targets.ts";
import { connectorStore } from "./connectors.ts";
import { alertRuleStore } from "./alert-rules.ts";
import { alertStore } from "./alerts.ts";
import { collectionStore } from "./collections.ts";
import { one, type Database } from "./database.ts";
import { dialogueStore } from "./dialogues.ts";
import { accountDirectory } from "./directory.ts";
import { eventRuleStore } from "./event-rules.ts";
import { groupStore } from "./groups.ts";
import { installationStore } from "./installation.ts";
import { jobStore } from "./jobs.ts";
import { leavingStore } from "./leaving.ts";
import { linkStore } from "./links.ts";
import { maintenanceStore } from "./maintenance.ts";
import { memoryReportStore } from "./memory-reports.ts";
import { noticeStore } from "./notices.ts";
import { offerCatalogue } from "./offer-catalogue.ts";
import { offerStore } from "./offers.ts";
import { overviewStore } from "./overview.ts";
import { oneTimeCodeStore } from "./one-time-codes.ts";
import { openPostgres } from "./postgres.ts";
import { profileStore } from "./profiles.ts";
import { pruneStore } from "./prune.ts";
import { query } from "./query.ts";
import { rehearsed } from "./rehearsal.ts";
import { rateWindowStore } from "./rate-windows.ts";
import { sentFormStore } from "./sent-forms.ts";
import { regressionStore } from "./regressions.ts";
import { reportStore } from "./reports.ts";
import { runnerStore } from "./runners.ts";
import { sampleStore } from "./samples.ts";
import { sessionStore } from "./sessions.ts";
import { seriesStore } from "./series.ts";
import { serverStore } from "./servers.ts";
import { securityLogStore } from "./security-log.ts";
import { serviceLogStore } from "./service-log.ts";
import { openSqlite } from "./sqlite.ts";
import { eventStore } from "./timeline.ts";
import { tokenStore } from "./tokens.ts";
import { unitTestStore } from "./unit-tests.ts";

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
