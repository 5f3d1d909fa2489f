import type { Database } from "../../store/engine/database.ts";
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
  readonly db: Database;
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
  /** The past days of servers on public pages. */
  readonly pastDays: PastDays;
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
  /** The same in the turn of another account: what a caller without one reads is what that account shares. */
  readonly readDocumentsOf: (accountId: string) => Context<unknown, never>["readDocuments"];
  /** Whether moderation lets the text be published. */
  readonly isAcceptable: (text: string) => boolean;
  /** Sends one message to an account right now. */
  readonly sendMessage: MessageSender;
  /** Seals the addresses that people type in, and shows enough of kept ones. */
  readonly addresses: ContactAddresses;
  /** How people are let in. */
  readonly people: AccountPolicy;
  /** Takes note of what matters to the safety of accounts. */
  readonly security: SecurityNotes;
}
