/** Cuts to `limit` characters after escaping, never inside an escape. */
export function shortened(
  text: string,
  limit: number,
  escape: (character: string) => string = (character) => character,
): string {
  const pieces = Array.from(text, escape);
  let length = 0;
  for (const { length: added } of pieces) length += added;
  if (length <= limit) return pieces.join("");
  while (length > limit - 1) length -= pieces.pop()?.length ?? length;
  return `${pieces.join("")}…`;
}
