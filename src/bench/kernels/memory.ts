/** Reads, writes and copies of memory, 16 bytes an instruction, and hops along a chain. */

/** A cache line of most processors, bytes. */
const step: usize = 64;

/** Returns the sum of all 8-byte words. */
export function read(from: usize, bytes: usize): u64 {
  let a = i64x2.splat(0);
  let b = i64x2.splat(0);
  let c = i64x2.splat(0);
  let d = i64x2.splat(0);
  const end = from + bytes;
  for (let at = from; at < end; at += step) {
    a = i64x2.add(a, v128.load(at, 0));
    b = i64x2.add(b, v128.load(at, 16));
    c = i64x2.add(c, v128.load(at, 32));
    d = i64x2.add(d, v128.load(at, 48));
  }
  const sum = i64x2.add(i64x2.add(a, b), i64x2.add(c, d));
  return i64x2.extract_lane(sum, 0) + i64x2.extract_lane(sum, 1);
}

/** Writes `value` into every eight bytes. */
export function write(to: usize, bytes: usize, value: u64): void {
  const filled = i64x2.splat(value);
  const end = to + bytes;
  for (let at = to; at < end; at += step) {
    v128.store(at, filled, 0);
    v128.store(at, filled, 16);
    v128.store(at, filled, 32);
    v128.store(at, filled, 48);
  }
}

export function copy(to: usize, from: usize, bytes: usize): void {
  for (let done: usize = 0; done < bytes; done += step) {
    const a = v128.load(from + done, 0);
    const b = v128.load(from + done, 16);
    const c = v128.load(from + done, 32);
    const d = v128.load(from + done, 48);
    v128.store(to + done, a, 0);
    v128.store(to + done, b, 16);
    v128.store(to + done, c, 32);
    v128.store(to + done, d, 48);
  }
}

/** Links the lines to one random cycle (Sattolo's shuffle): each begins with its successor's address. */
export function linkLines(from: usize, lines: u32, seed: u64): void {
  let random = seed;
  for (let i: u32 = 0; i < lines; i++) store<u32>(from + <usize>i * step, <u32>(from + <usize>i * step));
  for (let i = lines - 1; i > 0; i--) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    const one = from + <usize>i * step;
    const other = from + <usize>(((random >> 32) * <u64>i) >> 32) * step;
    const successor = load<u32>(one);
    store<u32>(one, load<u32>(other));
    store<u32>(other, successor);
  }
}

/** Returns where the chain leads after `hops`, a multiple of 8. */
export function chase(from: usize, hops: u32): usize {
  let at = from;
  for (let hop: u32 = 0; hop < hops; hop += 8) {
    at = load<u32>(at);
    at = load<u32>(at);
    at = load<u32>(at);
    at = load<u32>(at);
    at = load<u32>(at);
    at = load<u32>(at);
    at = load<u32>(at);
    at = load<u32>(at);
  }
  return at;
}
