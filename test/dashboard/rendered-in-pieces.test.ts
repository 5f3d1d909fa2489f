import { Fragment, h, type ComponentChildren, type VNode } from "preact";
import { describe, expect, it } from "vitest";
import { renderedInPieces, type PagePiece } from "../../src/dashboard/rendered-in-pieces.ts";

type Within = Parameters<typeof renderedInPieces>[1];
let leave: Parameters<Within>[1];
const within: Within = (children, leaving) => {
  leave = leaving;
  return h(Fragment, null, children);
};
const row = (text: string): PagePiece => {
  return () => h("p", { title: text }, text);
};
/** A component, so that its pieces are left while the page is rendered. */
const Left = ({ of }: { of: readonly PagePiece[] }): VNode =>
  h("section", null, leave(of) as ComponentChildren);
const many = (count: number, text: (place: number) => string): PagePiece[] =>
  Array.from({ length: count }, (_, place) => row(text(place)));
const texts = (html: string): string[] =>
  [...html.matchAll(/<p [^>]*>([^<]*)<\/p>/g)].map(([, text = ""]) => text);

describe("pieces of a page", () => {
  it.each([0, 1, 10, 11, 35])("are %s rows, each once and in order", async (count) => {
    const rows = many(count, (place) => `row ${place}`);
    const html = await renderedInPieces(h(Left, { of: rows }), within);
    expect(texts(html)).toEqual(rows.map((_, place) => `row ${place}`));
    expect(html).not.toContain("slot");
    expect(html.startsWith("<section>")).toBe(true);
  });

  it("let others run between them", async () => {
    const slow = many(40, String).map((piece) => () => {
      for (const until = performance.now() + 1; performance.now() < until;);
      return piece();
    });
    let passes = 0;
    const counting = setInterval(() => (passes += 1), 0);
    const html = await renderedInPieces(h(Left, { of: slow }), within);
    clearInterval(counting);
    expect(texts(html)).toHaveLength(40);
    expect(passes).toBeGreaterThanOrEqual(2);
  });

  it("may leave pieces of their own", async () => {
    const inner = many(12, (place) => `inner ${place}`);
    const outer = many(12, (place) => `outer ${place}`);
    const html = await renderedInPieces(h(Left, { of: [...outer, () => h(Left, { of: inner })] }), within);
    expect(texts(html)).toEqual([
      ...outer.map((_, place) => `outer ${place}`),
      ...inner.map((_, place) => `inner ${place}`),
    ]);
  });

  it("are put in no place that a text names, and their hidden characters are visible", async () => {
    const hostile = "<slot-0></slot-0>\u202e";
    const html = await renderedInPieces(h(Left, { of: [row(hostile), ...many(20, () => hostile)] }), within);
    expect(html.match(/<p /g)).toHaveLength(21);
    expect(html).not.toContain("\u202e");
    expect(html.split("\\u{202E}")).toHaveLength(2 * 21 + 1);
    expect(html).not.toContain("<slot");
  });
});
