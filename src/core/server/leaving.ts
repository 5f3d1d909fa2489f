import type { NewNotice } from "../notice/notice.ts";
import { dayMs } from "../time.ts";
import { restorableDays } from "./restorable.ts";
import type { LinkRequest } from "./records.ts";
import type { ServerRecord } from "./server.ts";

export const restorableMs = restorableDays * dayMs;

/** Codes an account may try in an hour to take over a linked installation. */
export const relinksPerHour = 60;

/** A fresh code of an installation that is linked already. */
export interface RelinkRequest extends LinkRequest {
  /** The code must be of this server's installation; null: of any. */
  readonly serverId: string | null;
  /** The notice to the account that the installation was linked to until now. */
  readonly tell: (server: ServerRecord) => NewNotice;
}

export type RelinkResult =
  /** `linked`: a new server, or one that came back; `relinked`: the same server with a new credential. */
  | { readonly kind: "linked" | "relinked"; readonly server: ServerRecord }
  | { readonly kind: "unknown" | "full" | "other_installation" };
