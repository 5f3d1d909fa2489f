/**
 * Characters that could end a tag, an entity, a code fence or a line outside JSON. In JSON text they stand
 * only inside strings, where `\uXXXX` means the same character.
 */
const risky = /[<>&`\u007f-\u009f\u2028\u2029]/;
const everyRisky = new RegExp(risky, "g");

const escapeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * One line of JSON in which no tag, entity, code fence or line break can be read, whatever its strings hold.
 * `JSON.parse` gives the same value back. A value without JSON text becomes `null`.
 */
export const toWire = (value: unknown): string => {
  const json: string | undefined = JSON.stringify(value);
  if (json === undefined) return "null";
  return risky.test(json) ? json.replace(everyRisky, escapeOf) : json;
};
