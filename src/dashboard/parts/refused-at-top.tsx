import type { Problem } from "../page.ts";

/** Why a form was refused that is not on its page any more: somebody was faster, or the plan changed. */
export function RefusedAtTop({ problem, hasForm }: { problem: Problem | null; hasForm: boolean }) {
  if (!problem || hasForm) return null;
  return (
    <p class="notice bad" role="alert">
      {problem.message}
    </p>
  );
}
