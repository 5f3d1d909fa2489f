import { expect } from "vitest";
import type { Visitor } from "../../support/visitor.ts";

/** What the data of the charts holds. */
export interface Drawn {
  readonly times: number[];
  readonly gaps: [number, number][];
  readonly lines: {
    field: string;
    unit: string;
    nominal: number | null;
    values: (number | null)[];
    min: (number | null)[] | null;
    thresholds: { value: number; name: string }[];
  }[];
  readonly marks: { kind: string; label: string; href: string }[];
  readonly shades: [number, number][];
}

export const unescaped = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** The data of the charts on a page. */
export const drawnIn = (text: string): Drawn =>
  JSON.parse(unescaped(/data-charts="([^"]*)"/.exec(text)?.[1] ?? "null")) as Drawn;

/** The page of a server, which the visitor may see. */
export async function serverPage(visitor: Visitor, id: string, query: string): Promise<string> {
  const { status, text } = await visitor.get(`/servers/${id}${query}`);
  expect(status).toBe(200);
  return text;
}
