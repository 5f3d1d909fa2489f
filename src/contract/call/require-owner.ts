import type { ServerRecord } from "../../core/server/server.ts";
import type { AccountCaller } from "./caller.ts";
import type { Fail } from "./context.ts";

/** Refuses a change by an admin, who can see the server but does not own it. */
export function requireOwner(
  server: ServerRecord,
  { account }: AccountCaller,
  fail: Fail<"not_owner">,
): void {
  if (server.accountId === account.id) return;
  fail(
    "not_owner",
    "This server belongs to another account. An admin may read it, but only its owner can change it.",
  );
}
