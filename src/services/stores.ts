import { alertRuleStore, alertStore, eventRuleStore } from "./alert/alert-stores.ts";
import { accountStore } from "../store/access/accounts.ts";
import { activityStore } from "../store/access/activity.ts";
import { autoBenchJobStore, targetStore } from "./auto-bench/auto-bench-stores.ts";
import { connectorStore } from "../store/access/connectors.ts";
import { collectionStore } from "../store/server/collections.ts";
import { one, type Database } from "../store/engine/database.ts";
import { dialogueStore } from "../store/access/dialogues.ts";
import { accountDirectory } from "../store/access/directory.ts";
import { groupStore } from "../store/server/groups.ts";
import { installationStore } from "../store/job/installation.ts";
import { jobStore } from "../store/job/jobs.ts";
import { leavingStore } from "./server/leaving-store.ts";
import { linkStore } from "./server/link-store.ts";
import { maintenanceStore } from "../store/maintenance/maintenance.ts";
import { memoryReportStore } from "../store/memory-report/memory-reports.ts";
import { noticeStore } from "./notice/notice-store.ts";
import { offerCatalogue } from "../store/offer/offer-catalogue.ts";
import { offerStore } from "../store/offer/offers.ts";
import { overviewStore } from "../store/monitoring/overview.ts";
import { oneTimeCodeStore } from "../store/access/one-time-codes.ts";
import { profileStore } from "../store/profile/profiles.ts";
import { pruneStore } from "./job/prune.ts";
import { query } from "../store/engine/query.ts";
import { rehearsed } from "../store/engine/rehearsal.ts";
import { rateWindowStore } from "../store/access/rate-windows.ts";
import { sentFormStore } from "../store/access/sent-forms.ts";
import { regressionStore } from "../store/report/regressions.ts";
import { reportStore } from "../store/report/reports.ts";
import { runnerStore } from "../store/auto-bench/runners.ts";
import { sampleStore } from "./metric/sample-store.ts";
import { sessionStore } from "../store/access/sessions.ts";
import { seriesStore } from "../store/metric/series.ts";
import { serverStore } from "./server/server-store.ts";
import { securityLogStore } from "../store/security-log/security-log.ts";
import { serviceLogStore } from "../store/service-log/service-log.ts";
import { eventStore } from "./event/event-store.ts";
import { tokenStore } from "../store/access/tokens.ts";
import { unitTestStore } from "../store/unit-test/unit-tests.ts";

export { openDatabase } from "../store/engine/open-database.ts";

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
