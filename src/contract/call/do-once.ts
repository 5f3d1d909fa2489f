import { takeFormSlot, releaseFormSlot } from "../../store/access/sent-forms.ts";
import { Refusal } from "../../core/errors.ts";
import { isFreshForm } from "../../core/sent-form.ts";
import type { PersonCalling } from "./call-as-person.ts";
import type { AppContext } from "./app-context.ts";
import { isSignedIn } from "./person.ts";

export interface SentForm {
  readonly person: PersonCalling;
  /** What the form carries since its page was made; null where it carries none. */
  readonly formId: string | null;
  /** Why a second sending does nothing, and what to do instead. */
  readonly sentBefore: string;
}

/**
 * Does what a form asks for at its first sending alone, whatever number of them comes at once. Ids are distinguished by
 * account: nobody learns of another's. A form that is refused can be sent again; after a failure it is not known
 * whether something was done, and so it cannot.
 */
export async function doOnce<T>(
  { db, clock }: Pick<AppContext, "db" | "clock">,
  { person, formId, sentBefore }: SentForm,
  work: () => Promise<T>,
): Promise<T> {
  if (formId === null || !isSignedIn(person)) return work();
  const now = clock();
  if (!isFreshForm(formId, now))
    throw new Refusal("invalid_state", "This form was out of date, so nothing was done. Send it again.");
  const { id } = person.account;
  if (!(await db.write(takeFormSlot, id, formId, now))) throw new Refusal("invalid_state", sentBefore);
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) await db.write(releaseFormSlot, id, formId);
    throw error;
  }
}
