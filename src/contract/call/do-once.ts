import { takeFormSlot, releaseFormSlot } from "../../store/access/sent-forms.ts";
import { Refusal } from "../../core/errors.ts";
import { isFreshForm } from "../../core/sent-form.ts";
import type { PersonCalling } from "./call-as-person.ts";
import type { AppContext } from "./app-context.ts";
import { isSignedIn } from "./person.ts";

export interface SentForm {
  readonly person: PersonCalling;
  /** The id that the form got when its page was made; null where it has none. */
  readonly formId: string | null;
  /** Tells the person why a second submission does nothing, and what to do instead. */
  readonly sentBefore: string;
}

/**
 * Runs `work` for the first submission of a form only, also when several arrive at once. A form that was
 * refused can be sent again; after a failure it cannot, because something may have been done.
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
