import type { Levels } from "./defect-log.ts";
import { isRefusedKind, type SecurityNotes } from "../../core/security-log/event.ts";

/** Enough of a token's id to find it in a list of tokens. */
const shownOfToken = 8;

/**
 * Also logs refused attempts, for programs that block addresses. An entry holds nothing that was sent. The
 * filter in resources/operations/fail2ban reads its members in this order.
 */
export const withRefusalEntries = (notes: SecurityNotes, log: Levels<"warn">): SecurityNotes => ({
  note: (event, now) => {
    notes.note(event, now);
    const { kind, address, detail, tokenId } = event;
    if (!isRefusedKind(kind)) return;
    const token = tokenId?.slice(0, shownOfToken) ?? null;
    log.warn({ kind, address, reason: detail, token }, "an attempt was refused");
  },
});
