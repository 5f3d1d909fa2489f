import { maxFrames, maxNodes } from "../profile/document.ts";
import { ImportError } from "./import-error.ts";
import type { WireReader } from "./protobuf.ts";

/** Both are empty for unknown stacks. */
export interface SparkMethod {
  readonly className: string;
  readonly methodName: string;
}

export interface TreeNode {
  readonly parent: number;
  readonly frame: number;
  samples: number;
}

/** Marks for a call without a known caller, and for a call of the thread itself. */
const [unclaimed, root] = [-2, -1];

/** Far above any profile, and small enough for exact sums, ms. */
const maxMs = 1e15;

/** Samples by which a call may be shorter than its callees: a profile can be saved during recording. */
const toleratedSamples = 2.5;

const forged = (what: string): ImportError =>
  new ImportError(`The profile contradicts itself: ${what}. Send the file again, unchanged.`);

export function checkedMs(ms: number): number {
  if (ms >= 0 && ms <= maxMs) return ms;
  throw forged("a time that is none");
}

/** The calls of one thread by their index in the file. */
class CallPool {
  readonly #ms: number[] = [];
  readonly #selfMs: number[] = [];
  readonly #methods: number[] = [];
  readonly #callers: number[] = [];

  get size(): number {
    return this.#ms.length;
  }

  add(ms: number, selfMs: number, method: number): void {
    this.#ms.push(ms);
    this.#selfMs.push(selfMs);
    this.#methods.push(method);
    this.#callers.push(unclaimed);
  }

  /** Sets the caller of a call, which must stand before `end`; answers the call's time, ms. */
  claim(index: number, caller: number, end: number): number {
    if (index < 0 || index >= end) throw forged("a reference to a call that is missing or comes later");
    if (this.#callers[index] !== unclaimed) throw forged("a call that two others made");
    this.#callers[index] = caller;
    return this.#ms[index] ?? 0;
  }

  at(index: number): { caller: number; method: number; selfMs: number } {
    return {
      caller: this.#callers[index] ?? unclaimed,
      method: this.#methods[index] ?? 0,
      selfMs: this.#selfMs[index] ?? 0,
    };
  }
}

/**
 * The calls of all tick threads as one tree: calls of one method from one place are one node, and parents
 * come before children. Times should be multiples of the sampling interval; a fraction is carried to the next
 * call, so that all samples add up to the whole time, rounded once.
 */
export class SparkCallTree {
  readonly methods: SparkMethod[] = [];
  readonly nodes: TreeNode[] = [];
  samples = 0;
  readonly #intervalMs: number;
  readonly #methodIndex = new Map<string, number>();
  readonly #places = new Map<number, number>();
  #ms = 0;
  #callsRead = 0;

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  /**
   * Adds a thread: 3 its calls, 4 its times (ms, one a window), 5 its top-level calls. In the file callees
   * stand before callers, so one pass finds invalid and repeated references. Time outside every call becomes
   * a node without a method.
   */
  addThread(message: WireReader): void {
    const pool = new CallPool();
    const roots: number[] = [];
    let times = 0;
    while (message.next()) {
      if (message.field === 3) {
        this.#callsRead += 1;
        if (this.#callsRead > maxNodes)
          throw new ImportError(`The profile has more than ${maxNodes} calls. Record a shorter time.`);
        this.#addCall(message.message(), pool);
      } else if (message.field === 4) message.doubles((ms) => (times += checkedMs(ms)));
      else if (message.field === 5) {
        message.int32s((ref) => {
          if (roots.push(ref) > maxNodes) throw forged("a thread refers to more calls than there are");
        });
      } else message.skip();
    }
    const called = roots.reduce((sum, ref) => sum + pool.claim(ref, root, pool.size), 0);
    const own = times === 0 ? called : times;
    const outside = this.#checkedSelf(own, called, "a thread");
    this.#keep(pool);
    if (outside > 0) this.#addTo(this.#place(root, this.#method("", "")), outside);
  }

  /** Adds a call: 3 class, 4 method, 8 times, 9 the calls it made. */
  #addCall(message: WireReader, pool: CallPool): void {
    const index = pool.size;
    let [className, methodName] = ["", ""];
    let [times, called] = [0, 0];
    while (message.next()) {
      if (message.field === 3) className = message.text();
      else if (message.field === 4) methodName = message.text();
      else if (message.field === 8) message.doubles((ms) => (times += checkedMs(ms)));
      else if (message.field === 9) message.int32s((ref) => (called += pool.claim(ref, index, index)));
      else message.skip();
    }
    pool.add(times, this.#checkedSelf(times, called, "a call"), this.#method(className, methodName));
  }

  /** Self time, ms; throws if the callees took more than `toleratedSamples` longer. */
  #checkedSelf(own: number, called: number, what: string): number {
    if (called - own > this.#intervalMs * toleratedSamples)
      throw forged(`${what} took less time than what it called`);
    return Math.max(0, own - called);
  }

  /** Iterates backwards, so that callers come before their callees. */
  #keep(pool: CallPool): void {
    const places = new Int32Array(pool.size);
    for (let index = pool.size - 1; index >= 0; index -= 1) {
      const { caller, method, selfMs } = pool.at(index);
      if (caller === unclaimed) throw forged("a call that nothing called");
      const place = this.#place(caller === root ? root : (places[caller] ?? root), method);
      places[index] = place;
      this.#addTo(place, selfMs);
    }
  }

  #place(parent: number, frame: number): number {
    const key = (parent + 1) * (maxFrames + 1) + frame;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place = this.nodes.push({ parent, frame, samples: 0 }) - 1;
    this.#places.set(key, place);
    return place;
  }

  #addTo(place: number, ms: number): void {
    this.#ms += ms;
    const samples = Math.round(this.#ms / this.#intervalMs);
    const node = this.nodes[place];
    if (node) node.samples += samples - this.samples;
    this.samples = samples;
  }

  #method(className: string, methodName: string): number {
    const key = `${className}\n${methodName}`;
    const known = this.#methodIndex.get(key);
    if (known !== undefined) return known;
    if (this.methods.length >= maxFrames)
      throw new ImportError(`The profile names more than ${maxFrames} methods. Record a shorter time.`);
    this.#methodIndex.set(key, this.methods.length);
    return this.methods.push({ className, methodName }) - 1;
  }
}
