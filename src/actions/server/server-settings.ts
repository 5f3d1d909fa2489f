import type { Database } from "../../store/engine/database.ts";
import { chosenOffer } from "../../store/offer/offer-writes.ts";
import { selectServer, selectMonitoredServer } from "../../store/server/servers.ts";
import { selectSender } from "../../store/server/links.ts";
import type { SessionCaller } from "../../contract/call/caller.ts";
import type { Found } from "../../contract/call/context.ts";
import { toServer, type ServerRecord } from "../../core/server/server.ts";
import { siteStep } from "../../core/server/status.ts";
import { toTimestamp } from "../../core/time.ts";

/** 404 if the server is not the caller's own, also for an admin. */
export const ownServer = async (
  id: string,
  { db, caller, found }: { db: Database; caller: SessionCaller; found: Found },
): Promise<ServerRecord> =>
  found(await db.read(selectServer, id, { accountId: caller.account.id, admin: false }));

export async function settingsOf(id: string, context: { db: Database; caller: SessionCaller; found: Found }) {
  const { db, caller, found } = context;
  const server = found(await db.read(selectMonitoredServer, id, caller.account.id));
  return {
    server: toServer(server, caller.account.id),
    address: server.address,
    port: server.port,
    sender: await db.read(selectSender, server.id),
    site_step: siteStep(server, caller.limits),
    linked_at: toTimestamp(server.linkedAt),
    offer: await db.read(chosenOffer, server.id),
  };
}

export type ServerSettings = Awaited<ReturnType<typeof settingsOf>>;
