import type { FormProblem } from "../page.ts";

/** Why a form was refused that is not on its page any more. */
export const ErrorSummary = ({ problem }: { problem: FormProblem }) => (
  <p class="notice bad" role="alert">
    {problem.message}
  </p>
);
