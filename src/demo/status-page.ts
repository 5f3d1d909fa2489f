import type { AppContext } from "../contract/call/app-context.ts";
import { addStatusPage } from "../services/status-page/add-status-page.ts";
import type { DemoAccount } from "./accounts.ts";
import type { DemoServer } from "./server.ts";

const publisher = "enterprise";

/** Makes a status page of all servers of the account `publisher`, and none for other accounts. */
export async function publishStatusPage(
  { db, secrets, clock }: AppContext,
  { name, account }: DemoAccount,
  servers: readonly DemoServer[],
): Promise<void> {
  if (name !== publisher) return;
  const now = clock();
  const added = await db.write(addStatusPage, {
    id: secrets.newId(now),
    accountId: account.id,
    address: "demo-network",
    title: "The demo network",
    showsPlayers: true,
    servers: servers.map(({ id, spec }) => ({ server_id: id, name: spec.name })),
    createdAt: now,
    updatedAt: now,
  });
  if (added !== "added") throw new Error(`The status page of the demo could not be made: ${added}.`);
}
