import { countedWords, totalOfState, totalSealed, type SealCounts } from "../access/stored-seals.ts";
import type { Account } from "../access/account.ts";
import type { PlanName } from "../access/plan.ts";
import type { Role } from "../access/scope.ts";
import type { ListedOffer } from "../offer/listed-offer.ts";
import type { Certified, ImportedOffers } from "../offer/records.ts";
import { Unavailable } from "../errors.ts";
import type { NewEntry } from "./entry.ts";

const entry = (kind: NewEntry["kind"], words: string, accountId: string | null = null): NewEntry => ({
  kind,
  words,
  accountId,
});

export const started = (version: string, schema: string): NewEntry =>
  entry("service_started", `Tickmark ${version} started on schema ${schema}.`);

export const stopped = (version: string): NewEntry =>
  entry("service_stopped", `Tickmark ${version} stopped in order.`);

export const migrated = (steps: readonly { readonly id: number; readonly name: string }[]): NewEntry =>
  entry(
    "schema_migrated",
    `The database was brought up to date: ${steps.map(({ id, name }) => `${id} (${name})`).join(", ")}.`,
  );

/** Names only the failure: a message may quote text that somebody sent. */
export const jobFailed = (job: string, error: unknown): NewEntry =>
  entry("job_failed", `Job ${job} failed (${failureName(error)}). The log of its process has the details.`);

/** `why` must be fixed words of ours. */
export const mailFailed = (why: string): NewEntry => entry("mail_failed", `No mail goes out: ${why}.`);

/** A class or a code as programs write them; other text is left out. */
const programWord = /^[\w.-]{1,60}$/;

function failureName(error: unknown): string {
  if (error instanceof Unavailable && error.cause instanceof Error) return failureName(error.cause);
  if (!(error instanceof Error)) return "unknown";
  const words = [error.name, "code" in error ? String(error.code) : ""];
  return words.filter((word) => programWord.test(word)).join(" ") || "Error";
}

export const secretAccepted = (counts: SealCounts): NewEntry =>
  entry(
    "secret_accepted",
    `Another secret was accepted. ${totalOfState(counts, "closed")} of ${totalSealed(counts)} sealed values cannot be read with it${listed(counts)}.`,
  );

export const secretReplaced = (counts: SealCounts): NewEntry =>
  entry(
    "secret_replaced",
    `All ${totalOfState(counts, "current")} sealed values that can be read are sealed with the first secret. The earlier one may be left out.`,
  );

export const valuesUnreadable = (counts: SealCounts): NewEntry =>
  entry(
    "values_unreadable",
    `${totalOfState(counts, "closed")} sealed values cannot be read with the secret of the service${listed(counts)}. Their owners have to enter them again.`,
  );

const listed = (counts: SealCounts): string => {
  const words = countedWords(counts, "closed");
  return words === "" ? "" : ` (${words})`;
};

export const accountCreated = ({ id, role, plan }: Account): NewEntry =>
  entry("account_created", `An account was made, role ${role}, plan ${plan}.`, id);

export const accountDeleted = (id: string): NewEntry =>
  entry("account_deleted", `Account ${id} was deleted.`);

export const tokenRevoked = (id: string, accountId: string): NewEntry =>
  entry("token_revoked", `Token ${id} was revoked.`, accountId);

export const planChanged = (id: string, from: PlanName, to: PlanName): NewEntry =>
  entry("plan_changed", `The plan was changed from ${from} to ${to}.`, id);

export const roleChanged = (id: string, from: Role, to: Role): NewEntry =>
  entry("role_changed", `The role was changed from ${from} to ${to}.`, id);

export const emailVerified = (id: string): NewEntry =>
  entry("email_verified", "The e-mail address was marked as verified.", id);

export const passwordReset = (id: string): NewEntry =>
  entry("password_reset", "The password was replaced, and every browser signed out.", id);

export const secondFactorReset = (id: string): NewEntry =>
  entry("second_factor_reset", "The second factor was taken off, and every browser signed out.", id);

export const secondFactorOpened = (id: string): NewEntry =>
  entry("second_factor_opened", "Codes of the second factor were opened again.", id);

export const invitationMade = (id: string): NewEntry =>
  entry("invitation_made", `Invitation ${id} was made.`);

export const invitationWithdrawn = (id: string): NewEntry =>
  entry("invitation_withdrawn", `Invitation ${id} was taken back.`);

/** Names one offer by its id, several by their number; null if nothing changed. */
export function offersSaved(
  offers: readonly ListedOffer[],
  { created, updated }: ImportedOffers,
): NewEntry | null {
  if (created + updated === 0) return null;
  const [first] = offers;
  if (first === undefined || offers.length > 1)
    return entry("offers_imported", `Offers were imported: ${created} new, ${updated} changed.`);
  return created > 0
    ? entry("offer_created", `Offer ${first.id} was made.`)
    : entry("offer_changed", `Offer ${first.id} was changed.`);
}

export const offerDeleted = (id: string): NewEntry =>
  entry("offer_deleted", `Offer ${id} was taken out of the catalogue.`);

export const offerCertified = (id: string, report: string, certified: Certified): NewEntry | null =>
  certified === "certified"
    ? entry("offer_certified", `Offer ${id} was certified by report ${report}.`)
    : null;

export const certificateEnded = (id: string): NewEntry =>
  entry("certificate_ended", `The certificate of offer ${id} was withdrawn.`);

export const disputeSet = (id: string, open: boolean): NewEntry =>
  open
    ? entry("dispute_opened", `A dispute about offer ${id} was opened.`)
    : entry("dispute_closed", `The dispute about offer ${id} was closed.`);

/** Does not name the server, because the entry outlives it. */
export const serverTakenOff = (id: string): NewEntry =>
  entry("server_taken_off_offer", `A server was taken off offer ${id}.`);

export const providerDeleted = (id: string): NewEntry =>
  entry("provider_deleted", `Provider ${id} was deleted.`);

export const runnerCreated = (id: string): NewEntry => entry("runner_created", `Runner ${id} was made.`);

export const runnerRevoked = (id: string): NewEntry => entry("runner_revoked", `Runner ${id} was revoked.`);
