import type { ConnectorStore } from "../../core/access/connector.ts";
import type { DialogueStore } from "../../core/access/dialogue.ts";
import type { SecretKind } from "../../core/access/secret.ts";
import type { Plans } from "../../core/access/plan.ts";
import type {
  AccountStore,
  OneTimeCodeStore,
  RateWindowStore,
  SessionStore,
  TokenStore,
} from "../../core/access/store.ts";
import type { ActivityStore } from "../../core/access/activity.ts";
import type { AccountDirectory } from "../../core/access/directory.ts";
import type { RateWindows } from "../../core/access/rate-window.ts";
import type { AlertRuleStore, AlertStore, EventRuleStore } from "../../core/alert/store.ts";
import type { AutoBenchJobStore, RunnerStore, TargetStore } from "../../core/auto-bench/store.ts";
import type { ErrorCode, ErrorDetails, NamedId } from "../../core/errors.ts";
import type { EventStore } from "../../core/event/store.ts";
import type { MaintenanceStore } from "../../core/maintenance/store.ts";
import type { MemoryReportStore } from "../../core/memory-report/store.ts";
import type { PruneStore } from "../../core/job/prune.ts";
import type { InstallationStore } from "../../core/job/installation.ts";
import type { JobStore } from "../../core/job/store.ts";
import type { NoticeStore } from "../../core/notice/store.ts";
import type { SeriesStore } from "../../core/metric/store.ts";
import type { OfferCatalogue } from "../../core/offer/catalogue.ts";
import type { OfferStore } from "../../core/offer/store.ts";
import type { OverviewStore } from "../../core/monitoring/store.ts";
import type { Position } from "../../core/position.ts";
import type { ProfileStore } from "../../core/profile/store.ts";
import type { Replay } from "../../core/replay.ts";
import type { ReportStore } from "../../core/report/store.ts";
import type { CollectionStore } from "../../core/server/collection.ts";
import type { RegressionStore } from "../../core/server/regression/store.ts";
import type { LeavingStore } from "../../core/server/leaving.ts";
import type { GroupStore, LinkStore, SampleStore, ServerStore } from "../../core/server/store.ts";
import type { SentFormStore } from "../../core/sent-form.ts";
import type { Instant } from "../../core/time.ts";
import type { SecurityLogStore, SecurityNotes } from "../../core/security-log/event.ts";
import type { ServiceLogStore } from "../../core/service-log/store.ts";
import type { UnitTestStore } from "../../core/unit-test/store.ts";
import type { AddressDesk } from "../access/contact-addresses.ts";
import type { Courier } from "../access/message-sender.ts";
import type { DocumentTasks, TaskName } from "../files/document-tasks.ts";
import type { Page } from "../endpoint/page.ts";
import type { People } from "../access/account-policy.ts";

export interface Stores {
  readonly accounts: AccountStore;
  readonly directory: AccountDirectory;
  readonly tokens: TokenStore;
  readonly sessions: SessionStore;
  readonly connectors: ConnectorStore;
  readonly dialogues: DialogueStore;
  readonly codes: OneTimeCodeStore;
  readonly activity: ActivityStore;
  readonly rates: RateWindowStore;
  readonly forms: SentFormStore;
  readonly servers: ServerStore;
  readonly samples: SampleStore;
  readonly series: SeriesStore;
  readonly links: LinkStore;
  readonly leaving: LeavingStore;
  readonly groups: GroupStore;
  readonly reports: ReportStore;
  readonly unitTests: UnitTestStore;
  readonly profiles: ProfileStore;
  readonly memoryReports: MemoryReportStore;
  readonly collections: CollectionStore;
  readonly offers: OfferStore;
  readonly catalogue: OfferCatalogue;
  readonly events: EventStore;
  readonly maintenance: MaintenanceStore;
  readonly overview: OverviewStore;
  readonly alertRules: AlertRuleStore;
  readonly eventRules: EventRuleStore;
  readonly alerts: AlertStore;
  readonly notices: NoticeStore;
  readonly autoBenchTargets: TargetStore;
  readonly autoBenchJobs: AutoBenchJobStore;
  readonly runners: RunnerStore;
  readonly regressions: RegressionStore;
  readonly jobs: JobStore;
  readonly installation: InstallationStore;
  readonly serviceLog: ServiceLogStore;
  readonly securityLog: SecurityLogStore;
  readonly prune: PruneStore;
}

/** Randomness and fingerprints: what a pure core cannot make. */
export interface Secrets {
  newId(now: Instant): string;
  newShortId(): string;
  newLinkCode(): string;
  /** Names a scheduled run to its agent and to the plugin that uploads for it. */
  newNonce(): string;
  newSecret(kind: SecretKind): string;
  /** SHA-256, hexadecimal: the only form in which a secret is stored. */
  digest(secret: string): string;
}

/** Refuses with a code the endpoint declared; the message says what to do next. */
export type Fail<Code extends ErrorCode> = (
  code: Code,
  message: string,
  details?: ErrorDetails,
  retryAfterSeconds?: number,
) => never;

/**
 * Answers the value, or 404 in the one sentence for what does not exist and what the caller may not see; where a call
 * takes several ids, `which` says which one it was.
 */
export type Found = <T>(value: T | null, which?: NamedId) => NonNullable<T>;

/** Everything a handler is given beside its input. */
export interface Context<C, Code extends ErrorCode> {
  readonly stores: Stores;
  readonly caller: C;
  readonly now: Instant;
  readonly fail: Fail<Code>;
  /** Only for endpoints that declare `not_found`. */
  readonly found: "not_found" extends Code ? Found : never;
  readonly secrets: Secrets;
  readonly baseUrl: string;
  /** Of the program that runs. */
  readonly version: string;
  /** What every plan allows: how long rows stay depends on a larger plan that lapsed of late. */
  readonly plans: Plans;
  /** The input as it was sent, keys the schema does not know included. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** The caller's windows as counted for this call; null on faces that keep none. */
  readonly windows: RateWindows | null;
  /** Where the list continues, read from `cursor`; null at its top. */
  readonly after: Position | null;
  /** Cuts `rows` (asked for with one more than the limit) to a page; `position` gives the sort key of a row. */
  page<R, T>(rows: readonly R[], limit: number, position: (row: R) => Position, show: (row: R) => T): Page<T>;
  /** What makes a repeated creation the same intent. */
  readonly replay: Replay;
  /** Reads documents outside the thread that answers calls, when it is the turn of the caller's account. */
  readonly readDocuments: <Name extends TaskName>(
    name: Name,
    input: DocumentTasks[Name]["input"],
  ) => Promise<DocumentTasks[Name]["output"]>;
  /** Whether moderation lets the text be published. */
  readonly isAcceptable: (text: string) => boolean;
  /** Sends one message to an account right now. */
  readonly courier: Courier;
  /** Seals the addresses that people type in, and shows enough of kept ones. */
  readonly addresses: AddressDesk;
  /** How people are let in. */
  readonly people: People;
  /** Takes note of what matters to the safety of accounts. */
  readonly security: SecurityNotes;
}
