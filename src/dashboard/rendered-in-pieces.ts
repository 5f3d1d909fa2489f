import { h, type ComponentChildren, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { nextTurn } from "../core/turns.ts";
import { visibleHtml } from "./visible-html.ts";

/** A small part of a page, made when it is rendered. */
export type PagePiece = () => ComponentChildren;

/** Leaves pieces for later, and answers what stands for them. */
export type Leave = (pieces: readonly PagePiece[]) => ComponentChildren;

/** So many are rendered at a time: ten rows of a fleet take 1 ms. */
const piecesAtATime = 10;

/** The element that stands for pieces until they are rendered. No text makes one, for texts are escaped. */
const slots = /<slot-(\d+)><\/slot-\d+>/g;

/**
 * Renders content whose components may leave pieces for later (a few are rendered at once), with every hidden character
 * made visible. `within` puts what is rendered into its context. Others get their turn between the pieces.
 */
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
