import type { ComponentChildren } from "preact";
import { usePageContext } from "../frame.tsx";

interface LivePartProps {
  /** The name of the part among the page's `parts`. */
  readonly of: string;
  readonly children: ComponentChildren;
}

/** A part of a page that the script fetches again while the page is visible. */
export function LivePart({ of, children }: LivePartProps) {
  if (!usePageContext().parts.includes(of)) throw new Error(`The page does not name its part ${of}.`);
  return (
    <div class="stack" data-live={of}>
      {children}
    </div>
  );
}
