import type { Instant } from "../core/time.ts";

/** FNV-1a over the channel, then the finaliser of MurmurHash3: equal inputs give equal values on any machine. */
function mix(seed: number, channel: string, index: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < channel.length; at += 1) hash = Math.imul(hash ^ channel.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ index ^ Math.floor(index / 0x1_0000_0000), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** A value in [0, 1) that depends on its arguments alone. */
export const chance = (seed: number, channel: string, index: number): number =>
  mix(seed, channel, index) / 0x1_0000_0000;

/** A value in [-1, 1] that wanders smoothly, with a turn about every `periodMs`. */
export function drift(seed: number, channel: string, at: Instant, periodMs: number): number {
  const position = at / periodMs;
  const index = Math.floor(position);
  const ease = (1 - Math.cos(Math.PI * (position - index))) / 2;
  const from = chance(seed, channel, index);
  const to = chance(seed, channel, index + 1);
  return 2 * (from + (to - from) * ease) - 1;
}

export function rounded(value: number, decimals = 1): number {
  const parts = 10 ** decimals;
  return Math.round(value * parts) / parts;
}
