import type { NewNotice } from "../notice/notice.ts";
import { dayMs, type Instant } from "../time.ts";
import { restorableDays } from "./restorable.ts";
import type { LinkRequest } from "./store.ts";
import type { ServerRecord } from "./server.ts";

export const restorableMs = restorableDays * dayMs;

/** Codes an account may try in an hour to take over a linked installation. */
export const relinksPerHour = 60;

/** A fresh code of an installation that is linked already. */
export interface RelinkRequest extends LinkRequest {
  /** The server whose installation it has to be; null where any will do. */
  readonly serverId: string | null;
  /** What the account is told that the installation was linked to until now. */
  readonly tell: (server: ServerRecord) => NewNotice;
}

export type RelinkResult =
  /** `linked`: a new server, or one that came back; `relinked`: the same one with a new credential. */
  | { readonly kind: "linked" | "relinked"; readonly server: ServerRecord }
  | { readonly kind: "unknown" | "full" | "other_installation" };

/** How servers and people leave. */
export interface LeavingStore {
  /** The server is nobody's from here on; its data stays for as long as its owner may bring it back. */
  unlink(serverId: string, accountId: string, now: Instant): Promise<void>;
  /** Unlinks it and deletes its data; its reports stay with their author. */
  remove(serverId: string, accountId: string, now: Instant): Promise<void>;
  relink(request: RelinkRequest): Promise<RelinkResult>;
  /**
   * Deletes an account with all that is its; certified reports stay without their author. Where the account is
   * the last admin nothing happens, and the answer is false.
   */
  removeAccount(accountId: string, now: Instant): Promise<boolean>;
}
