import { h, type ComponentChildren, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { nextTurn } from "../core/turns.ts";
import { visibleHtml } from "./visible-html.ts";

export type PagePiece = () => ComponentChildren;

/** Leaves pieces for later, and returns a placeholder for them. */
export type Leave = (pieces: readonly PagePiece[]) => ComponentChildren;

/** Ten rows of a fleet take 1 ms. */
const piecesAtATime = 10;

/** The placeholder of pieces that are not rendered yet. Texts are escaped, so none can form one. */
const slots = /<slot-(\d+)><\/slot-\d+>/g;

/** Serves other requests between the pieces. `within` puts content into its context. */
export async function renderedInPieces(
  content: ComponentChildren,
  within: (children: ComponentChildren, leave: Leave) => VNode,
): Promise<string> {
  const left: (readonly PagePiece[])[] = [];
  const leave: Leave = (pieces) =>
    pieces.length <= piecesAtATime ? pieces.map((piece) => piece()) : h(`slot-${left.push(pieces) - 1}`, {});
  const rendered = (children: ComponentChildren): string =>
    visibleHtml(renderToString(within(children, leave)));
  const page = rendered(content);
  const filled: string[] = [];
  // Pieces may leave pieces of their own, which come after all others.
  for (const pieces of left) {
    let html = "";
    for (let start = 0; start < pieces.length; start += piecesAtATime) {
      await nextTurn();
      html += rendered(pieces.slice(start, start + piecesAtATime).map((piece) => piece()));
    }
    filled.push(html);
  }
  const fill = (html: string): string =>
    filled.length === 0
      ? html
      : html.replaceAll(slots, (_, slot: string) => fill(filled[Number(slot)] ?? ""));
  return fill(page);
}
