import type { ComponentChildren } from "preact";
import { Notice } from "./state.tsx";
import { Words } from "./words.tsx";

/** States that the service sends no mail, and which command the operator runs instead. */
export function NoMail({ children, command }: { children: ComponentChildren; command: string }) {
  return (
    <Notice means="watch">
      <p>This service sends no mail. {children}</p>
      <p>
        The operator runs <Words of={command} />
      </p>
    </Notice>
  );
}
