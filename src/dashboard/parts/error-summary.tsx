import type { FormProblem } from "../page.ts";
import { fieldRefusal } from "../words/refusal.ts";

/** For a refused form that is no longer on its page. */
export const ErrorSummary = ({ problem }: { problem: FormProblem }) => (
  <p class="notice bad" role="alert" tabIndex={-1} autofocus>
    {fieldRefusal(problem)}
  </p>
);
