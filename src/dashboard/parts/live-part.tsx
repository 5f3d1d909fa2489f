import type { ComponentChildren } from "preact";

interface LivePartProps {
  /** The identifier of the part, unique on its page. */
  readonly of: string;
  readonly children: ComponentChildren;
}

/** A part of a page that the script updates while the page is visible. */
export function LivePart({ of, children }: LivePartProps) {
  return (
    <div class="stack" data-live={of}>
      {children}
    </div>
  );
}
