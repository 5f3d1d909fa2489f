/** A fixed mix of the work in a game server's tick; its state fits in a core's second-level cache. */

// Addresses in memory.
const values: usize = 1024;
/** Read from memory, because an engine may build a constant anew at each use. */
const constants: usize = 512;
const opacities: usize = values + 512;
const permutation: usize = opacities + 512;
const sections: usize = permutation + 512;
const light: usize = sections + 24 * 2752;
const entities: usize = light + 65536;
const table: usize = entities + 257 * 48;

/** 342 words of 12 block states each, 5 bits a state: 4,096 blocks a section. */
const wordsInSection: u32 = 342;
const sectionBytes: usize = 2752;
const tableSlots: u32 = 4096;

let random: u64 = 0;

function next(): u64 {
  random ^= random << 13;
  random ^= random >> 7;
  random ^= random << 17;
  return random;
}

/** In [0, 1). */
function fraction(): f64 {
  return <f64>(next() >> 11) * (1.0 / 9007199254740992.0);
}

/** The same state before every batch, so that each batch has the same result. */
function prepare(): void {
  random = 0x9e3779b97f4a7c15;
  store<f64>(constants, 0.08, 0);
  store<f64>(constants, 0.98, 8);
  store<f64>(constants, 64.0, 16);
  store<f64>(constants, 36.0, 24);
  store<f64>(constants, 0.05, 32);
  store<f64>(constants, 0.91, 40);
  for (let i: u32 = 0; i < 256; i++) store<i16>(values + i * 2, <i16>next());
  for (let i: u32 = 0; i < 32; i++) store<u8>(opacities + i, i < 11 ? 15 : i < 14 ? 2 : 1);
  for (let i: u32 = 0; i < 256; i++) store<u8>(permutation + i, <u8>i);
  for (let i: u32 = 255; i > 0; i--) {
    const j = <u32>(next() % (i + 1));
    const other = load<u8>(permutation + j);
    store<u8>(permutation + j, load<u8>(permutation + i));
    store<u8>(permutation + i, other);
  }
  memory.copy(permutation + 256, permutation, 256);
  for (let at = sections; at < light; at += 8) store<u64>(at, next());
  memory.fill(light, 0, 65536);
  for (let at = entities; at < table - 48; at += 48) {
    store<f64>(at, fraction() * 64.0, 0);
    store<f64>(at, fraction() * 16.0, 8);
    store<f64>(at, fraction() * 64.0, 16);
    store<f64>(at, fraction() - 0.5, 24);
    store<f64>(at, fraction() - 0.5, 32);
    store<f64>(at, fraction() - 0.5, 40);
  }
  memory.fill(table, 0, tableSlots * 8);
}

/** A smooth step from 0 to 1, both in parts of 65,536. */
function fade(t: i64): i64 {
  return (((t * t) >> 16) * (196608 - 2 * t)) >> 16;
}

function mix(t: i64, a: i64, b: i64): i64 {
  return a + ((t * (b - a)) >> 16);
}

/** The row is written twice, so that a sum of two bytes is an index too. */
function shuffled(index: u32): u32 {
  return load<u8>(index, permutation);
}

/** From -32,768 to 32,767. */
function corner(index: u32): i64 {
  return <i64>load<i16>(<usize>shuffled(index) * 2, values);
}

/** Noise in three dimensions, at a point in parts of 65,536. */
function noise(px: i64, py: i64, pz: i64): i64 {
  const cx = <u32>(px >> 16) & 255;
  const cy = <u32>(py >> 16) & 255;
  const cz = <u32>(pz >> 16) & 255;
  const u = fade(px & 65535);
  const v = fade(py & 65535);
  const w = fade(pz & 65535);
  const a = shuffled(cx) + cy;
  const aa = shuffled(a) + cz;
  const ab = shuffled(a + 1) + cz;
  const b = shuffled(cx + 1) + cy;
  const ba = shuffled(b) + cz;
  const bb = shuffled(b + 1) + cz;
  const low = mix(v, mix(u, corner(aa), corner(ba)), mix(u, corner(ab), corner(bb)));
  const high = mix(v, mix(u, corner(aa + 1), corner(ba + 1)), mix(u, corner(ab + 1), corner(bb + 1)));
  return mix(w, low, high);
}

/** Four octaves of noise at 16 points of a chunk. */
function generate(round: u32): i64 {
  let sum: i64 = 0;
  for (let point: u32 = 0; point < 16; point++) {
    const x = <i64>(point & 7) * 24301 + <i64>round * 7193;
    const y = <i64>(point >> 2) * 17011 + 3001;
    const z = <i64>(point & 15) * 34747 + 19009;
    sum += noise(x, y, z);
    sum += noise(x * 2, y * 2, z * 2) >> 1;
    sum += noise(x * 4, y * 4, z * 4) >> 2;
    sum += noise(x * 8, y * 8, z * 8) >> 3;
  }
  return sum;
}

/** The light of the brighter neighbour, less what the block takes, without a branch. */
function dimmed(before: i32, above: i32, state: u32): i32 {
  const difference = before - above;
  const brighter = before - (difference & (difference >> 31));
  const taken = <i32>load<u8>(state, opacities);
  return (brighter - taken) & ((taken - 1 - brighter) >> 31);
}

/** Unpacks the blocks of a quarter of a section, and spreads light from block to block. */
function illuminate(round: u32): u32 {
  const quarter = round & 3;
  const first = sections + <usize>(round % 24) * sectionBytes + quarter * 680;
  let lit = light + <usize>(round & 15) * 4096 + quarter * 1020;
  let above = light + <usize>((round + 1) & 15) * 4096 + quarter * 1020;
  let solid: u32 = 0;
  let carried: i32 = 15;
  for (let word = first; word < first + 680; word += 8) {
    const states = load<u64>(word);
    for (let shift: u64 = 0; shift < 60; shift += 15) {
      const three = <u32>(states >> shift);
      const one = three & 31;
      const two = (three >> 5) & 31;
      const last = (three >> 10) & 31;
      solid += (<u32>(<i32>one - 11) >> 31) + (<u32>(<i32>two - 11) >> 31) + (<u32>(<i32>last - 11) >> 31);
      carried = dimmed(carried, load<u8>(above), one);
      store<u8>(lit, <u8>carried);
      carried = dimmed(carried, load<u8>(above, 1), two);
      store<u8>(lit, <u8>carried, 1);
      carried = dimmed(carried, load<u8>(above, 2), last);
      store<u8>(lit, <u8>carried, 2);
      lit += 3;
      above += 3;
    }
    if (solid % 5 == 0) carried = 14;
  }
  return solid * 31 + <u32>carried;
}

function move(): f64 {
  const gravity = load<f64>(0, constants);
  const drag = load<f64>(0, constants + 8);
  const edge = load<f64>(0, constants + 16);
  const near = load<f64>(0, constants + 24);
  const push = load<f64>(0, constants + 32);
  const friction = load<f64>(0, constants + 40);
  let speed: f64 = 0.0;
  for (let at = entities; at < entities + 256 * 48; at += 48) {
    let vx = load<f64>(at, 24);
    let vy = (load<f64>(at, 32) - gravity) * drag;
    let vz = load<f64>(at, 40);
    let x = load<f64>(at, 0) + vx;
    let y = load<f64>(at, 8) + vy;
    let z = load<f64>(at, 16) + vz;
    if (y < 0.0) {
      y = 0.0;
      vy = -vy * drag;
    }
    if (x < 0.0 || x > edge) {
      vx = -vx;
      x = x < 0.0 ? 0.0 : edge;
    }
    if (z < 0.0 || z > edge) {
      vz = -vz;
      z = z < 0.0 ? 0.0 : edge;
    }
    const dx = load<f64>(at, 48) - x;
    const dz = load<f64>(at, 64) - z;
    const square = dx * dx + dz * dz;
    if (square < near && square > 0.0) {
      const away = push / Math.sqrt(square);
      vx -= dx * away;
      vz -= dz * away;
    }
    vx *= friction;
    vz *= friction;
    store<f64>(at, x, 0);
    store<f64>(at, y, 8);
    store<f64>(at, z, 16);
    store<f64>(at, vx, 24);
    store<f64>(at, vy, 32);
    store<f64>(at, vz, 40);
    speed += Math.sqrt(vx * vx + vy * vy + vz * vz);
  }
  return speed;
}

/** Looks up 64 positions in a table with open addressing; missing ones replace older ones. */
function find(): u32 {
  let found: u32 = 0;
  for (let i: u32 = 0; i < 64; i++) {
    const key = (next() & 8191) + 1;
    let slot = <u32>((key * 0x9e3779b97f4a7c15) >> 52);
    let isIn = false;
    for (let step: u32 = 0; step < 4; step++) {
      const held = load<u64>(table + <usize>slot * 8);
      if (held == key) {
        isIn = true;
        break;
      }
      if (held == 0) break;
      slot = (slot + 1) & (tableSlots - 1);
    }
    if (isIn) found++;
    else store<u64>(table + <usize>slot * 8, key);
  }
  return found;
}

/** Starts from the same state each time, and returns a checksum. */
export function work(rounds: u32): u32 {
  prepare();
  let sum: u64 = 0;
  for (let round: u32 = 0; round < rounds; round++) {
    sum = sum * 31 + <u64>generate(round);
    sum = sum * 31 + <u64>illuminate(round);
    sum = sum * 31 + reinterpret<u64>(move());
    sum = sum * 31 + <u64>find();
  }
  return <u32>(sum ^ (sum >> 32));
}
