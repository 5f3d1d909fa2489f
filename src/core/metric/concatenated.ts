export function concatenated<T extends Uint8Array | Float64Array>(
  Kind: new (length: number) => T,
  parts: readonly T[],
): T {
  const whole = new Kind(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
