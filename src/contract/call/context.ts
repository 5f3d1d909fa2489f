import type { Database, DatabaseReader } from "../../store/engine/database.ts";
import type { PastDays } from "../../services/status-page/past-days.ts";
import type { Plans } from "../../core/access/plan.ts";
import type { RateWindows } from "../../core/access/rate-window.ts";
import type { ErrorCode, ErrorDetails, NamedId } from "../../core/errors.ts";
import type { Position } from "../../core/position.ts";
import type { Replay } from "../../core/replay.ts";
import type { Instant } from "../../core/time.ts";
import type { SecurityNotes } from "../../core/security-log/event.ts";
import type { ContactAddresses } from "../../app/access/contact-addresses.ts";
import type { MessageSender } from "../../app/access/message-sender.ts";
import type { DocumentTasks, TaskName } from "../files/document-tasks.ts";
import type { Page } from "../endpoint/page.ts";
import type { Secrets } from "../../app/access/secrets.ts";
import type { AccountPolicy } from "../../app/access/account-policy.ts";

/** Refuses with one of the declared codes; the message says what to do next. */
export type Fail<Code extends ErrorCode> = (
  code: Code,
  message: string,
  details?: ErrorDetails,
  retryAfterSeconds?: number,
) => never;

/**
 * Returns the value, or throws the same 404 for a missing and for a hidden resource. `which` names the id in
 * calls that take several.
 */
export type Found = <T>(value: T | null, which?: NamedId) => NonNullable<T>;

export interface Context<C, Code extends ErrorCode> {
  readonly db: Database;
  /**
   * For series and lists whose answer may be two seconds late; `db` where there is no read replica. Who owns
   * what, rules, limits, and what a person just changed are read from `db`.
   */
  readonly replica: DatabaseReader;
  readonly caller: C;
  readonly now: Instant;
  readonly fail: Fail<Code>;
  /** Only for endpoints that declare `not_found`. */
  readonly found: "not_found" extends Code ? Found : never;
  readonly secrets: Secrets;
  readonly baseUrl: string;
  readonly version: string;
  readonly plans: Plans;
  readonly pastDays: PastDays;
  /** The input as sent, including keys that the schema does not know. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** The caller's windows after this call; null on faces without rate windows. */
  readonly windows: RateWindows | null;
  /** The position that `cursor` names; null for the first page. */
  readonly after: Position | null;
  /** `rows` has one row more than `limit` if there is a next page; `position` gives the sort key of a row. */
  page<R, T>(rows: readonly R[], limit: number, position: (row: R) => Position, show: (row: R) => T): Page<T>;
  /** Identifies repetitions of a creation, by Idempotency-Key or by input. */
  readonly replay: Replay;
  /** Reads documents outside the main thread, queued under the caller's account. */
  readonly readDocuments: <Name extends TaskName>(
    name: Name,
    input: DocumentTasks[Name]["input"],
  ) => Promise<DocumentTasks[Name]["output"]>;
  /** As `readDocuments`, queued under another account: anonymous callers read what that account shares. */
  readonly readDocumentsOf: (accountId: string) => Context<unknown, never>["readDocuments"];
  /** Whether moderation allows the text to be published. */
  readonly isAcceptable: (text: string) => boolean;
  readonly sendMessage: MessageSender;
  readonly addresses: ContactAddresses;
  readonly people: AccountPolicy;
  readonly security: SecurityNotes;
}
