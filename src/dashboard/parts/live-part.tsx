import type { ComponentChildren } from "preact";

interface LivePartProps {
  /** What tells it apart from the other live parts of its page. */
  readonly of: string;
  readonly children: ComponentChildren;
}

/** A part of a page that the page's script keeps up to date while somebody looks; without it, as old as the page. */
export function LivePart({ of, children }: LivePartProps) {
  return (
    <div class="stack" data-live={of}>
      {children}
    </div>
  );
}
