import { Words } from "./words.tsx";

/** Hidden without a script. */
export const CopyButton = ({ of, what }: { of: string; what: string }) => (
  <button type="button" class="plain" data-copies={of} aria-label={`Copy: ${what}`} hidden>
    Copy
  </button>
);

interface CopyableProps {
  readonly id: string;
  /** The accessible name of what is copied. */
  readonly what: string;
  readonly children: string;
}

export const Copyable = ({ id, what, children }: CopyableProps) => (
  <div class="snippet">
    <pre>
      <Words id={id} of={children} />
    </pre>
    <CopyButton of={id} what={what} />
  </div>
);
