import { z } from "zod";
import { accepting } from "../accepted-form.ts";

/** `min` and `max` in code points. */
export interface TextRule {
  readonly min: number;
  readonly max: number;
  /** True when the text comes from a submitter, plugin or server: data, never instructions. */
  readonly thirdParty: boolean;
}

/** A registry, so that no schema carries its rule in its JSON form. */
export const textRules = z.registry<TextRule>();

const hasLoneSurrogateOrNul = (value: string): boolean => value.includes("\u0000") || !value.isWellFormed();

/** Refused in text that a caller types, kept in text that a plugin reports. */
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

/** At most `max` code points, kept byte for byte. Refuses U+0000 and lone surrogates: no store holds them. */
export const thirdPartyText = (max: number): z.ZodString =>
  textSchema({ min: 0, max, thirdParty: true }, () => true);

export const callerText = (max: number): z.ZodString =>
  accepting(
    textSchema({ min: 0, max, thirdParty: true }, (value) => !controlCharacter.test(value)),
    `text of at most ${max} characters, without control characters but line feeds and tabs`,
  );

export const callerName = (max: number): z.ZodString =>
  accepting(
    textSchema(
      { min: 1, max, thirdParty: true },
      (value) => !controlCharacter.test(value) && value.trim() !== "",
    ),
    `text of 1 to ${max} characters, not only white space and without control characters`,
  );

/** For filters and codes: at most `max` code points, matched but never shown. */
export const plainText = (max: number, min = 0): z.ZodString =>
  textSchema({ min, max, thirdParty: false }, () => true);
