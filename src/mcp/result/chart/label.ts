import { glyphs } from "./glyphs.ts";

/** In units of the letters' box: between two letters, and between two words. */
const letterGap = 2.3;
const wordGap = 4.2;

export interface LabelStyle {
  readonly color: string;
  /** Height of a capital, px. */
  readonly size?: number;
  readonly bold?: boolean;
  readonly align?: "start" | "middle" | "end";
}

const usualSize = 8.6;

/** px, on one line. */
export const labelWidth = (text: string, size = usualSize): number =>
  ([...text].reduce((width, letter) => width + advance(letter), 0) - letterGap) * (size / 10);

const advance = (letter: string): number => (glyphs[letter]?.[0] ?? wordGap - letterGap) + letterGap;

const short = (value: number): string => String(Math.round(value * 100) / 100);

/** A line of text as SVG, its baseline at `y`. A character without a glyph is a space. */
export function label(
  text: string,
  x: number,
  y: number,
  { color, size = usualSize, bold = false, align = "start" }: LabelStyle,
): string {
  const scale = size / 10;
  const width = labelWidth(text, size);
  const left = align === "start" ? x : align === "middle" ? x - width / 2 : x - width;
  let at = 0;
  let letters = "";
  for (const letter of text) {
    const path = glyphs[letter]?.[1];
    if (path !== undefined) letters += `<path transform="translate(${short(at)} 0)" d="${path}"/>`;
    at += advance(letter);
  }
  const stroke = (bold ? 1.55 : 1.15) / scale;
  return `<g transform="translate(${short(left)} ${short(y - size)}) scale(${short(scale)})" fill="none" stroke="${color}" stroke-width="${short(stroke)}" stroke-linecap="round" stroke-linejoin="round">${letters}</g>`;
}
