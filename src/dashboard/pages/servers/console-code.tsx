import type { Sender } from "../../../core/server/link-code.ts";
import { FormField } from "../../parts/form.tsx";
import { Words } from "../../parts/words.tsx";

/** How to get a code that proves access to a server's console. */
export function CodeSteps({ where, sender }: { where: string; sender: Sender | null }) {
  return (
    <ol>
      {sender !== "agent" && (
        <li>
          Run <kbd>/bench link</kbd> in the console of {where}
          {sender === null && (
            <>
              {" "}
              or, if it has the agent, <Words of="tickmark agent link" /> beside it
            </>
          )}
          . It prints a code of 8 characters.
        </li>
      )}
      {sender === "agent" && (
        <li>
          Stop the agent beside {where}, delete <code>link.json</code> in the folder of its state, and run{" "}
          <kbd>tickmark agent link</kbd>. It prints a code of 8 characters.
        </li>
      )}
      <li>Type the code here within 15 minutes.</li>
    </ol>
  );
}

/** For a code of `CodeSteps`; `of` is the form's action. */
export function CodeField({ of }: { of: string }) {
  return <FormField name="code" label="Code" maxLength={16} autoComplete="off" required of={of} />;
}
