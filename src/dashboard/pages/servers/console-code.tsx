import type { Sender } from "../../../core/server/link-code.ts";
import { FormField } from "../../parts/form.tsx";

/** How whoever may use a server's console proves it: with a code that its plugin, or the agent beside it, prints. */
export function CodeSteps({ where, sender }: { where: string; sender: Sender | null }) {
  return (
    <ol>
      {sender !== "agent" && (
        <li>
          Run <kbd>/bench link</kbd> in the console of {where}. It prints a code of 8 characters.
        </li>
      )}
      {sender === "agent" && (
        <li>
          Stop the agent beside {where}, delete <code>link.json</code> in the folder of its state, and run{" "}
          <kbd>tickmark agent link</kbd>. It prints a code of 8 characters.
        </li>
      )}
      {sender === null && (
        <li>
          With the agent instead of a plugin, <kbd>tickmark agent link</kbd> prints it.
        </li>
      )}
      <li>Type the code here within 15 minutes.</li>
    </ol>
  );
}

/** Takes the code of `CodeSteps`; `of` names the action that reads it. */
export function CodeField({ of }: { of: string }) {
  return <FormField name="code" label="Code" maxLength={16} autoComplete="off" required of={of} />;
}
