import { Words } from "./words.tsx";

/** Copies the text of an element; hidden without a script. */
export const CopyButton = ({ of, what }: { of: string; what: string }) => (
  <button type="button" class="plain" data-copies={of} aria-label={`Copy: ${what}`} hidden>
    Copy
  </button>
);

interface CopyableProps {
  readonly id: string;
  /** What it is, for people who do not see where the button stands. */
  readonly what: string;
  readonly children: string;
}

/** A command or a secret with a button that copies it. */
export const Copyable = ({ id, what, children }: CopyableProps) => (
  <div class="snippet">
    <pre>
      <Words id={id} of={children} />
    </pre>
    <CopyButton of={id} what={what} />
  </div>
);
