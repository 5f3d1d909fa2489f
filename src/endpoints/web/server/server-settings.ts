import type { Database } from "../../../store/engine/database.ts";
import { chosenOffer } from "../../../store/offer/offer-writes.ts";
import { selectServer, selectMonitoredServer } from "../../../store/server/servers.ts";
import { selectSender } from "../../../store/server/links.ts";
import { z } from "zod";
import type { SessionCaller } from "../../../contract/call/caller.ts";
import type { Found } from "../../../contract/call/context.ts";
import { Sender } from "../../../core/server/link-code.ts";
import { Server, toServer, type ServerRecord } from "../../../core/server/server.ts";
import { SiteStep, siteStep } from "../../../core/server/status.ts";
import { toTimestamp } from "../../../core/time.ts";
import { Timestamp } from "../../../core/timestamp.ts";
import { thirdPartyText } from "../../../core/text/third-party-text.ts";
import { exampleServer } from "../../../core/server/example-server.ts";

/** A server as its owner sets it: with its address, shown to others or not, and the offer it runs on. */
export const ServerSettings = z.object({
  server: Server,
  address: thirdPartyText(255).nullable(),
  port: z.int().nullable(),
  /** What speaks for the server. */
  sender: Sender,
  site_step: SiteStep,
  /** When the account linked it, the last time. */
  linked_at: Timestamp,
  offer: z.object({ id: z.string(), name: z.string(), provider: z.string() }).nullable(),
});

export const exampleSettings: z.input<typeof ServerSettings> = {
  server: exampleServer,
  address: "play.example.org",
  port: 25565,
  sender: "plugin",
  site_step: "on",
  linked_at: "2026-11-01T12:00:00.000Z",
  offer: { id: "iron-8", name: "Iron 8", provider: "Foundry Hosting" },
};

/** The caller's own server; 404 for any other, for an admin too. */
export const ownServer = async (
  id: string,
  { db, caller, found }: { db: Database; caller: SessionCaller; found: Found },
): Promise<ServerRecord> =>
  found(await db.read(selectServer, id, { accountId: caller.account.id, admin: false }));

/** The settings as they stand after a change. */
export async function settingsOf(
  id: string,
  context: { db: Database; caller: SessionCaller; found: Found },
): Promise<z.input<typeof ServerSettings>> {
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
