import type { Database } from "../../store/engine/database.ts";
import type { PastDays } from "../../services/status-page/past-days.ts";
import type { Plans } from "../../core/access/plan.ts";
import type { SecurityNotes } from "../../core/security-log/event.ts";
import type { Instant } from "../../core/time.ts";
import type { ContactAddresses } from "../../app/access/contact-addresses.ts";
import type { ActivityLog } from "../../app/logs/activity.ts";
import type { Meter } from "./meter.ts";
import type { Secrets } from "../../app/access/secrets.ts";
import type { MessageSender } from "../../app/access/message-sender.ts";
import type { CursorSeal } from "../endpoint/cursor.ts";
import type { ReadDocuments, SentDocument } from "../files/document-tasks.ts";
import type { SenderThrottle } from "../limits/sender-throttle.ts";
import type { BodyReading, CheckedInput } from "../files/body-reading.ts";
import type { AccountPolicy } from "../../app/access/account-policy.ts";

/** What the one door is built of; `app` puts it together, `call` goes through it. */
export interface AppContext {
  readonly db: Database;
  readonly clock: () => Instant;
  readonly plans: Plans;
  readonly secrets: Secrets;
  readonly cursors: CursorSeal;
  readonly baseUrl: string;
  /** Of the program that runs. */
  readonly version: string;
  readonly isAcceptable: (text: string) => boolean;
  readonly sendMessage: MessageSender;
  readonly contactAddresses: ContactAddresses;
  readonly accountPolicy: AccountPolicy;
  /** Whether a sender may send now, and what its refused bodies cost it. */
  readonly throttle: SenderThrottle;
  /** The past days of servers on public pages, which this process has worked out. */
  readonly pastDays: PastDays;
  readonly readDocuments: ReadDocuments;
  /** Takes note of what a token did. */
  readonly activity: Pick<ActivityLog, "note">;
  /** Takes note of what matters to the safety of accounts. */
  readonly security: SecurityNotes;
  /** Counts what is done, for `/metrics`. */
  readonly meter: Meter;
  /** Tells the operator of a defect; the caller only gets the request id. */
  readonly reportDefect: (error: unknown, requestId: string) => void;
}

/** Who presents themselves, as the transport saw it. */
export interface Credentials {
  /** The Authorization header as sent; null when there was none. */
  readonly authorization: string | null;
  /** The part of the client's address that counts as one caller: IPv4 /32, IPv6 /64. */
  readonly address: string;
  /** True at the connector, where the access tokens of its grants count beside API tokens. */
  readonly atConnector?: true;
  /** True where the service looks by itself for this caller: that is no use of the token. */
  readonly unnoticed?: true;
  /** Is given the id of the token that is presented, once it is known. */
  readonly onToken?: (tokenId: string) => void;
}

/** Reads the document that is an endpoint's whole body; what it answers is the value of that field. */
export type ReadBody = (sent: SentDocument) => Promise<unknown>;

type FlatInput = Record<string, unknown>;

/** What is asked for, whoever asks. */
export interface ReceivedRequest {
  /**
   * The flat input. A function, because it is read only once the caller may be answered at all; it may throw
   * a Refusal for bytes that are no input.
   */
  readonly input: (reading: BodyReading) => FlatInput | Promise<FlatInput | CheckedInput>;
  /** Takes what `input` reads from off the wire; called once the caller may be answered at all. */
  readonly receive?: () => Promise<void> | void;
  /** The body that came with it, and how many bytes of it were read so far; null or left out where there was none. */
  readonly body?: { readonly bytes: number } | null;
  readonly idempotencyKey?: string | null;
  readonly requestId: string;
}

export interface CallRequest extends ReceivedRequest {
  readonly credentials: Credentials;
  /** A read that the service makes by itself for this caller: no window counts it and no activity tells of it. */
  readonly peek?: true;
}
