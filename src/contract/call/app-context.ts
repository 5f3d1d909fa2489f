import type { Database, LateReads } from "../../store/engine/database.ts";
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

export interface AppContext {
  readonly db: Database;
  readonly replica: LateReads;
  readonly clock: () => Instant;
  readonly plans: Plans;
  readonly secrets: Secrets;
  readonly cursors: CursorSeal;
  readonly baseUrl: string;
  readonly version: string;
  readonly isAcceptable: (text: string) => boolean;
  readonly sendMessage: MessageSender;
  readonly contactAddresses: ContactAddresses;
  readonly accountPolicy: AccountPolicy;
  readonly throttle: SenderThrottle;
  readonly pastDays: PastDays;
  readonly readDocuments: ReadDocuments;
  readonly activity: Pick<ActivityLog, "note">;
  readonly security: SecurityNotes;
  readonly meter: Meter;
  /** Logs a defect for the operator; the caller only gets the request id. */
  readonly reportDefect: (error: unknown, requestId: string) => void;
}

export interface Credentials {
  /** The Authorization header; null when there was none. */
  readonly authorization: string | null;
  /** The part of the client's address that counts as one caller: IPv4 /32, IPv6 /64. */
  readonly address: string;
  /** True at the connector, which also accepts the access tokens of its grants. */
  readonly atConnector?: true;
  /** True for checks that the service makes by itself: they do not update the token's last use. */
  readonly unnoticed?: true;
  /** Called with the id of a token that is known, also when the token is then refused. */
  readonly onToken?: (tokenId: string) => void;
}

/** Reads the document that is an endpoint's whole body, and returns the value of its field. */
export type ReadBody = (sent: SentDocument) => Promise<unknown>;

type FlatInput = Record<string, unknown>;

export interface ReceivedRequest {
  /** Read only after the caller was identified. Throws Refusal for bytes that are no input. */
  readonly input: (reading: BodyReading) => FlatInput | Promise<FlatInput | CheckedInput>;
  /** Receives the body from the network; called after the caller was identified. */
  readonly receive?: () => Promise<void> | void;
  /** The bytes of the body that were read so far; null or left out where there was no body. */
  readonly body?: { readonly bytes: number } | null;
  readonly idempotencyKey?: string | null;
  readonly requestId: string;
}

export interface CallRequest extends ReceivedRequest {
  readonly credentials: Credentials;
  /** A read that the service makes by itself: it is neither counted nor listed in the activity. */
  readonly peek?: true;
}
