import { mostProfileLinks, type ProfileLinkRecord } from "../../core/profile/profile-link.ts";
import type { Work } from "../../store/engine/database.ts";
import { countProfileLinks, insertProfileLink } from "../../store/profile/profile-links.ts";
import { lockAccount } from "../../store/server/locks.ts";

/** Adds a link; false if the account has as many as it may. */
export function* addProfileLink(link: ProfileLinkRecord, digest: string): Work<boolean> {
  yield* lockAccount(link.accountId);
  if ((yield* countProfileLinks(link.accountId, link.createdAt)) >= mostProfileLinks) return false;
  yield* insertProfileLink(link, digest);
  return true;
}
