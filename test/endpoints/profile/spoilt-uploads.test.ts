import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { dice } from "../../support/dice.ts";
import {
  concat,
  int,
  joined,
  message,
  packedDoubles,
  packedInts,
  text,
} from "../../support/protobuf-writer.ts";
import { sharedData } from "../../support/shared-data.ts";
import type { Answer } from "../../support/service.ts";
import { callNode, source, sparkFile, type Call } from "../../support/spark-file.ts";
import { capturing, storedCaptures } from "./capturing.ts";
import { isLong } from "../../support/long.ts";

const scene = capturing();
const recording = sharedData("spark/uUrbLpnMju.sparkprofile");

/** A whole number from 0 to below that. */
type Roll = (below: number) => number;
type Spoil = (bytes: Uint8Array, roll: Roll) => Uint8Array;

const flipped: Spoil = (bytes, roll) => {
  const copy = bytes.slice();
  for (let left = 1 + roll(8); left > 0; left -= 1) {
    const at = roll(copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << roll(8));
  }
  return copy;
};

/** Files to send, by how they were spoilt, from one that is whole. */
const spoils: Readonly<Record<string, Spoil>> = {
  "flipped bits": flipped,
  "cut short": (bytes, roll) => bytes.slice(0, roll(bytes.length)),
  "forged references": (bytes, roll) => {
    const copy = bytes.slice();
    for (let left = 1 + roll(3); left > 0; left -= 1) {
      // The tag of a packed list of references in a call; what follows its length are references.
      const at = copy.indexOf(0x4a, roll(copy.length));
      if (at >= 0) copy[at + 2] = roll(128);
    }
    return copy;
  },
  "overwritten bytes": (bytes, roll) => {
    const copy = bytes.slice();
    const at = roll(copy.length);
    for (let index = at; index < at + 1 + roll(24); index += 1) copy[index] = roll(256);
    return copy;
  },
  "a piece left out": (bytes, roll) => {
    const at = roll(bytes.length);
    return joined(bytes.subarray(0, at), bytes.subarray(at + 1 + roll(64)));
  },
  "flipped bits of its gzip": (bytes, roll) => flipped(new Uint8Array(gzipSync(bytes)), roll),
};

const calls = (depth: number, place: number): readonly Call[] =>
  depth === 0
    ? []
    : [1, 2].map((branch) => ({
        method: `net.example.Shop${place % 7}.run${branch}`,
        ms: [4 * (2 ** (depth + 1) - 2), 4],
        calls: calls(depth - 1, place * 2 + branch),
      }));

const small = sparkFile({
  threads: [
    { calls: [{ method: "a.A.tick", ms: [4000, 4000], calls: calls(5, 1) }] },
    { name: "Netty", ms: [40] },
  ],
  metadata: [
    message(5, int(1, 1), int(3, 50)),
    message(7, text(2, "Bukkit"), text(3, "1.21.4-1"), text(4, "1.21.4"), text(8, "Paper")),
    source("shop", "Shop"),
  ],
  classSources: { "net.example.Shop1": "shop" },
});

/** A thread of calls that refer to calls that are not there, come later, are themselves or are called twice. */
function forgedThread(roll: Roll): Uint8Array {
  const count = 2 + roll(12);
  const ref = (): number =>
    roll(4) === 0 ? ([-1, 2_147_483_647, count, count + 7][roll(4)] ?? 0) : roll(count);
  const refs = (): number[] => Array.from({ length: roll(4) }, ref);
  const nodes = Array.from({ length: count }, (_, index) =>
    callNode(`a.B.c${index % 5}`, [4 * (index + 1)], refs()),
  );
  return joined(concat(nodes), packedDoubles(4, [4 * count * count]), packedInts(5, [count - 1, ...refs()]));
}

/** Answers by status and code of the error. */
const kindOf = ({ status, json }: Answer): string =>
  status < 300 ? String(status) : `${status} ${String(json["error"])}`;

/** Sends such files, and expects of each answer what a reader of it may rely on; says how many were answered how. */
async function send(
  name: string,
  files: Iterable<readonly [kind: string, bytes: Uint8Array]>,
): Promise<number> {
  const counts = new Map<string, Map<string, number>>();
  const one = await scene.uploader("enterprise");
  const before = await storedCaptures(scene.service);
  let [sent, taken, slowest] = [0, 0, 0];
  for (const [kind, bytes] of files) {
    const started = performance.now();
    const answer = await one.upload("/profiles", bytes, {
      "content-type": "application/x-spark-sampler",
    });
    slowest = Math.max(slowest, performance.now() - started);
    const { status, json } = answer;
    expect([200, 201, 400, 413], answer.text).toContain(status);
    if (status >= 400) expect(String(json["message"]).length).toBeGreaterThan(15);
    if (status === 201) {
      taken += 1;
      const read = await one.ofServer(`/profiles/${String(json["profile_id"])}`);
      expect([read.status, read.json["detail"]]).toEqual([
        200,
        expect.objectContaining({ trigger: "import" }),
      ]);
    }
    const of = counts.get(kind) ?? new Map<string, number>();
    counts.set(kind, of.set(kindOf(answer), (of.get(kindOf(answer)) ?? 0) + 1));
    sent += 1;
  }
  const after = await storedCaptures(scene.service);
  expect((after["profile_summary"] ?? 0) - (before["profile_summary"] ?? 0)).toBe(taken);
  expect((after["profile_document"] ?? 0) - (before["profile_document"] ?? 0)).toBe(taken);
  const told = [...counts].map(
    ([kind, of]) => `${kind}: ${[...of].map(([code, times]) => `${code} ×${times}`).join(", ")}`,
  );
  console.log(
    `${name}: ${sent} sent, ${taken} rows stored; slowest ${slowest.toFixed(0)} ms\n  ${told.join("\n  ")}`,
  );
  return taken;
}

function* spoilt(whole: Uint8Array, copies: number, roll: Roll): Generator<readonly [string, Uint8Array]> {
  const kinds = Object.entries(spoils);
  for (let index = 0; index < copies; index += 1)
    for (const [kind, spoil] of kinds.slice(index % kinds.length, (index % kinds.length) + 1))
      yield [kind, spoil(whole, roll)];
}

const rollOf = (seed: number): Roll => {
  const random = dice(seed);
  return (below) => Math.floor(random() * below);
};

const alive = async (): Promise<number> => (await scene.service.request("GET", "/healthz")).status;

describe("spoilt files of spark", () => {
  const copies = isLong ? 350 : 120;

  it(`[OUR-IMP-12] [OUR-HTTP-13] ${copies} copies of a small one are taken or refused, and rows are as many as 201s`, async () => {
    expect(await send("whole", [["whole", small]])).toBe(1);
    const taken = await send("small", spoilt(small, copies, rollOf(20_261_120)));
    expect(taken).toBeGreaterThan(10);
    expect(await alive()).toBe(200);
  });

  const forgedFiles = isLong ? 90 : 40;

  it(`[OUR-IMP-06] [OUR-IMP-12] so are ${forgedFiles} whose calls refer to each other at random, and none makes a circle`, async () => {
    const roll = rollOf(7);
    const files = Array.from(
      { length: forgedFiles },
      () => ["forged thread", sparkFile({ threads: [{ raw: forgedThread(roll) }] })] as const,
    );
    await send("forged", files);
    const two = (ofFirst: readonly number[], ofSecond: readonly number[], roots: readonly number[]) => {
      const nodes = [callNode("a.B.one", [4], ofFirst), callNode("a.B.two", [8], ofSecond)];
      const raw = joined(...nodes, packedDoubles(4, [8]), packedInts(5, roots));
      return ["two calls", sparkFile({ threads: [{ raw }] })] as const;
    };
    const circles = [two([1], [0], [1]), two([0], [], [1]), two([], [1], [1]), two([], [0, 0], [1])];
    const elsewhere = [two([], [-1], [1]), two([], [2], [1]), two([], [0], [1, 1]), two([], [], [1])];
    expect(await send("circles", circles)).toBe(0);
    expect(await send("elsewhere", elsewhere)).toBe(0);
    expect(await send("as they are", [two([], [0], [1])])).toBe(1);
    expect(await alive()).toBe(200);
  });

  it.skipIf(recording === null)(
    "[OUR-IMP-12] [OUR-HTTP-13] so are 6 of a recorded one of 4 MB, 120 in the long run",
    async () => {
      const whole = new Uint8Array(readFileSync(recording ?? "/dev/null"));
      const started = performance.now();
      await send("recording", spoilt(whole, isLong ? 120 : 6, rollOf(3)));
      console.log(`copies of the recording in ${((performance.now() - started) / 1000).toFixed(1)} s`);
      expect(await alive()).toBe(200);
    },
  );
});
