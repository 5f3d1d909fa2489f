import type { ComponentChildren } from "preact";
import { usePageContext } from "../frame.tsx";

interface PartProps {
  /** The part's name on its page. */
  readonly of: string;
  readonly children: ComponentChildren;
}

/** A part that the script fetches again while the page is visible. */
export function LivePart({ of, children }: PartProps) {
  if (!usePageContext().parts.includes(of)) throw new Error(`The page does not name its part ${of}.`);
  return (
    <div class="stack" data-live={of}>
      {children}
    </div>
  );
}

/** A part that the page's own script fetches again when the address changes. */
export function LoadedPart({ of, children }: PartProps) {
  if (!usePageContext().loadedParts.includes(of))
    throw new Error(`The page does not name its loaded part ${of}.`);
  return (
    <div class="stack" data-part={of}>
      {children}
    </div>
  );
}
