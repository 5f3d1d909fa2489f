import type { Problem } from "../page.ts";

/** Why a form was refused that is not on its page any more. */
export const RefusedAtTop = ({ problem }: { problem: Problem }) => (
  <p class="notice bad" role="alert">
    {problem.message}
  </p>
);
