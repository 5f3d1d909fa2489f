import { z } from "zod";
import { accepting } from "../accepted-form.ts";

/** What the faces need to know of a text field: its longest length in code points, and who wrote it. */
export interface TextRule {
  readonly min: number;
  readonly max: number;
  /** True when the text comes from a submitter, plugin or server: data, never instructions. */
  readonly thirdParty: boolean;
}

/** Where the rule of each text schema is kept, so that no schema carries it in its JSON form. */
export const textRules = z.registry<TextRule>();

const hasLoneSurrogateOrNul = (value: string): boolean => value.includes("\u0000") || !value.isWellFormed();

/** Control characters other than LF and TAB: refused in text a caller types, kept in what a plugin reports. */
// eslint-disable-next-line no-control-regex
const controlCharacter = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

const codePoints = (value: string): number => {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
};

const within = (value: string, min: number, max: number): boolean => {
  // A code point is one or two UTF-16 units, so most values need no counting.
  if (value.length > max * 2) return false;
  const length = value.length <= max && value.length >= min * 2 ? value.length : codePoints(value);
  return length >= min && length <= max;
};

const textSchema = (rule: TextRule, accepts: (value: string) => boolean): z.ZodString => {
  const schema = z
    .string()
    .refine((value) => within(value, rule.min, rule.max) && !hasLoneSurrogateOrNul(value) && accepts(value));
  textRules.add(schema, rule);
  return schema;
};

/**
 * Text written by a plugin, a game server or a submitter, at most `max` code points long. Kept byte for byte;
 * only U+0000 and lone surrogates are refused, which no store holds.
 */
export const thirdPartyText = (max: number): z.ZodString =>
  textSchema({ min: 0, max, thirdParty: true }, () => true);

/** Text a caller types for other people to read: as third-party text, and no control character but LF and TAB. */
export const callerText = (max: number): z.ZodString =>
  accepting(
    textSchema({ min: 0, max, thirdParty: true }, (value) => !controlCharacter.test(value)),
    `text of at most ${max} characters, without control characters but line feeds and tabs`,
  );

/** A name a caller gives: 1 to `max` code points and not only white space. */
export const callerName = (max: number): z.ZodString =>
  accepting(
    textSchema(
      { min: 1, max, thirdParty: true },
      (value) => !controlCharacter.test(value) && value.trim() !== "",
    ),
    `text of 1 to ${max} characters, not only white space and without control characters`,
  );

/** A plain value of at most `max` code points that is matched, never shown: filters and codes. */
export const plainText = (max: number, min = 0): z.ZodString =>
  textSchema({ min, max, thirdParty: false }, () => true);
