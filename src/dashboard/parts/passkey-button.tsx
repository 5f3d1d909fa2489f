import type { ComponentChildren } from "preact";
import { usePageContext } from "../frame.tsx";

/** Where the page's script gets a challenge for a passkey of the signed-in account. */
export const ownPasskeyRequest = "/settings/security/passkeys?data=request";

interface PasskeyButtonProps {
  /** `get`: the browser uses a passkey; `create`: it makes one. */
  readonly does: "get" | "create";
  /** The field of the form that gets the answer. The form is sent with it. */
  readonly field: string;
  /** The request for the browser, or the address that answers it as JSON. */
  readonly request: object | string;
  readonly children: ComponentChildren;
}

/** A button of a form that asks the browser for a passkey. Where browsers offer none, a sentence says so instead. */
export function PasskeyButton({ does, field, request, children }: PasskeyButtonProps) {
  const { passkeyOrigin } = usePageContext();
  if (passkeyOrigin === null) return <p class="hint">{noPasskeys}</p>;
  return (
    <div
      data-passkey={does}
      data-field={field}
      data-request={typeof request === "string" ? request : JSON.stringify(request)}
      data-origin={passkeyOrigin}
    >
      <p class="hint" role="status">
        A passkey needs JavaScript, which is off in this browser.
      </p>
      <button type="button" class="plain" hidden>
        {children}
      </button>
    </div>
  );
}

/** Why there is no button. */
const noPasskeys =
  "Passkeys do not work at this address: browsers use them only over https with a domain name, or at localhost.";
