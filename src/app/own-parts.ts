import type { Logger } from "pino";
import type { Config } from "./config/config.ts";
import { contactAddresses } from "./access/contact-addresses.ts";
import { activityLog, type ActivityLog } from "./logs/activity.ts";
import { addressSealer, messageSender } from "./access/message-sender.ts";
import { cursorSeal } from "../contract/endpoint/cursor.ts";
import type { AppContext } from "../contract/call/app-context.ts";
import { type Sealer } from "./access/sealed.ts";
import { systemSecrets } from "./access/secrets.ts";
import { accountPolicy } from "./access/account-policy.ts";
import { afterwards } from "./afterwards.ts";
import { securityLog, type SecurityLog } from "./logs/security-log.ts";
import { serviceLog, type ServiceLog } from "./logs/service-log.ts";
import { type SenderThrottle } from "../contract/limits/sender-throttle.ts";
import type { Instant } from "../core/time.ts";
import type { Executor } from "../documents/executor.ts";
import { documentReader } from "../documents/reader.ts";
import { moderation } from "./moderation.ts";
import { notifier, type OpenNotifier } from "../outbound/notifier.ts";
import type { Reach } from "../outbound/reach.ts";
import { projectVersion } from "../program/program-files.ts";
import type { OpenMetrics } from "../metrics/open-metrics.ts";
import type { LateReads } from "../store/engine/database.ts";
import { pastDaysCache } from "../services/status-page/past-days.ts";
import { defectLog, mailTroubleLog, type DefectLog } from "./logs/defect-log.ts";
import { withRefusalEntries } from "./logs/refusal-log.ts";

interface Given {
  readonly metrics: OpenMetrics;
  readonly replica: LateReads;
  readonly clock: () => Instant;
  readonly executor: Executor;
  readonly throttle: SenderThrottle;
  /** Where chat webhooks may lead; the public internet when undefined. */
  readonly reach: Reach | undefined;
}

export interface OwnParts {
  readonly app: AppContext;
  /** The public address; set once the service listens, if the operator set none. */
  readonly base: { url: string };
  /** Seals the addresses that messages go to. */
  readonly sealing: Sealer;
  readonly outside: OpenNotifier;
  readonly later: ReturnType<typeof afterwards>;
  readonly defects: DefectLog;
  readonly activity: ActivityLog;
  readonly security: SecurityLog;
  /** Admins read this log. */
  readonly ownLog: ServiceLog;
}

export function ownParts(config: Config, log: Logger, given: Given): OwnParts {
  const { metrics, replica, clock, executor, throttle, reach } = given;
  const { database } = metrics;
  const sealing = addressSealer(config.secrets());
  const defects = defectLog(log);
  const { failed } = defects;
  const ownLog = serviceLog(database, projectVersion, (error) =>
    failed(error, "the service's log was not written"),
  );
  const later = afterwards((error) => failed(error, "work after an answer failed"));
  const base = { url: config.baseUrl ?? "" };
  const baseUrl = (): string => base.url;
  const mailTroubled = mailTroubleLog(log, (why) => ownLog.mailFailed(why, clock()));
  const outside = notifier({ ...config, baseUrl, mailTroubled, ...(reach && { reach }) });
  const secrets = systemSecrets();
  const mailFailed = (message: string, why: string) => log.warn({ message, why }, "a mail did not go out");
  const people = { send: outside.send, afterwards: later.run, mailFailed, ids: secrets, baseUrl };
  const [activity, security] = [activityLog(database, secrets), securityLog(database, secrets)];
  const app: AppContext = {
    db: database,
    replica,
    clock,
    plans: config.plans,
    secrets,
    cursors: cursorSeal(config.secrets()),
    get baseUrl() {
      return base.url;
    },
    version: projectVersion,
    isAcceptable: moderation(config.moderation),
    sendMessage: messageSender(sealing, outside),
    contactAddresses: contactAddresses(sealing, outside),
    accountPolicy: accountPolicy(config, people),
    throttle,
    pastDays: pastDaysCache(),
    readDocuments: documentReader(executor, metrics.meter),
    activity,
    security: withRefusalEntries(security, log),
    meter: metrics.meter,
    reportDefect: (error, requestId) => failed(error, "a call failed", { requestId }),
  };
  return { app, base, sealing, outside, later, defects, activity, security, ownLog };
}
