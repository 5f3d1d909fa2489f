import type { FormProblem } from "../page.ts";

/** The refusal of a form that is no longer on its page. */
export const ErrorSummary = ({ problem }: { problem: FormProblem }) => (
  <p class="notice bad" role="alert">
    {problem.message}
  </p>
);
