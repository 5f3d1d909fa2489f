import { ownEyes, type SessionCaller } from "../../contract/call/caller.ts";
import type { Found } from "../../contract/call/context.ts";
import type { ProfileRecord } from "../../core/profile/records.ts";
import type { Database } from "../../store/engine/database.ts";
import { selectProfile } from "../../store/profile/profiles.ts";
import { selectServer } from "../../store/server/servers.ts";

/** By the profile's id or its summary's. 404 if the server is not the caller's own, also for an admin. */
export async function ownProfile(
  { server_id, profile_id }: { readonly server_id: string; readonly profile_id: string },
  { db, caller, found }: { readonly db: Database; readonly caller: SessionCaller; readonly found: Found },
): Promise<ProfileRecord> {
  const server = found(await db.read(selectServer, server_id, ownEyes(caller)));
  return found(await db.read(selectProfile, server.id, profile_id));
}
