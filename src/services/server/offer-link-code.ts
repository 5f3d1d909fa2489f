import type { NewLinkCode } from "../../core/server/link-code.ts";
import { type Work, run, Undo } from "../../store/engine/database.ts";
import { dropUnusedCodes, insertCode } from "../../store/server/links.ts";

/** Replaces the installation's unused code. Returns false, and keeps the old code, if the new one exists. */
export function* offerLinkCode({
  code,
  installationId,
  claimDigest,
  facts,
  createdAt,
  expiresAt,
}: NewLinkCode): Work<boolean> {
  const values = {
    code,
    installation: installationId,
    claim: claimDigest,
    facts: JSON.stringify(facts),
    created: createdAt,
    expires: expiresAt,
  };
  yield* run(dropUnusedCodes, { installation: installationId });
  if ((yield* run(insertCode, values)) === 0) throw new Undo(false);
  return true;
}
