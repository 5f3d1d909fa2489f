import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { histogramOf } from "../../../src/core/import/class-histogram.ts";
import { heapSummaryOfSpark } from "../../../src/core/import/spark-heap.ts";
import { profileOfSpark } from "../../../src/core/import/spark-profile.ts";
import { HeapSummary } from "../../../src/core/memory-report/document.ts";
import { ProfileDocument } from "../../../src/core/profile/document.ts";
import { dice } from "../../support/dice.ts";
import { concat, int, joined, message, text } from "../../support/protobuf-writer.ts";
import { sharedData } from "../../support/shared-data.ts";
import { source, sparkFile, type Call } from "../../support/spark-file.ts";
import { digest, refusalOf, samplesOf } from "./reading.ts";
import { isLong } from "../../support/long.ts";

/** How a copy of a file is spoilt, in turn. */
const spoil: Readonly<Record<string, (bytes: Uint8Array, roll: (below: number) => number) => Uint8Array>> = {
  "flipped bits": (bytes, roll) => {
    const copy = bytes.slice();
    for (let left = 1 + roll(8); left > 0; left -= 1) {
      const at = roll(copy.length);
      copy[at] = (copy[at] ?? 0) ^ (1 << roll(8));
    }
    return copy;
  },
  "cut short": (bytes, roll) => bytes.slice(0, roll(bytes.length)),
  "forged references": (bytes, roll) => {
    const copy = bytes.slice();
    // The tag of a packed list of references in a call; what follows its length are references.
    const at = copy.indexOf(0x4a, roll(copy.length));
    copy[at + 2] = roll(128);
    return copy;
  },
  "overwritten bytes": (bytes, roll) => {
    const copy = bytes.slice();
    const at = roll(copy.length);
    for (let index = at; index < Math.min(at + 1 + roll(24), copy.length); index += 1)
      copy[index] = roll(256);
    return copy;
  },
  "a piece left out": (bytes, roll) => {
    const at = roll(bytes.length);
    return joined(bytes.subarray(0, at), bytes.subarray(at + 1 + roll(64)));
  },
  "a piece twice": (bytes, roll) => {
    const at = roll(bytes.length);
    return joined(bytes.subarray(0, at + roll(200)), bytes.subarray(at));
  },
};

/** Reads spoilt copies: each is refused in words, or what the schema takes; says how many were which. */
function judge(name: string, whole: Uint8Array, copies: number, check: (bytes: Uint8Array) => void): void {
  const random = dice(20_260_619);
  const roll = (below: number): number => Math.floor(random() * below);
  const counts = new Map<string, { taken: number; refused: number }>();
  const kinds = Object.keys(spoil);
  let [total, slowest] = [0, 0];
  for (let index = 0; index < copies; index += 1) {
    const kind = kinds[index % kinds.length] ?? "";
    const bytes = spoil[kind]?.(whole, roll) ?? whole;
    const started = performance.now();
    const said = refusalOf(() => check(bytes));
    const took = performance.now() - started;
    [total, slowest] = [total + took, Math.max(slowest, took)];
    const count = counts.get(kind) ?? { taken: 0, refused: 0 };
    count[said === "taken" ? "taken" : "refused"] += 1;
    counts.set(kind, count);
    expect(said === "taken" || said.length > 40, said).toBe(true);
  }
  const told = [...counts].map(([kind, { taken, refused }]) => `${kind} ${taken}/${refused}`).join(", ");
  console.log(
    `${name}, ${copies} spoilt copies of ${whole.length} bytes, taken/refused: ${told}; ${(total / copies).toFixed(2)} ms each, ${slowest.toFixed(0)} ms at most`,
  );
  expect([...counts.values()].every(({ refused }) => refused > 0)).toBe(true);
}

function checkProfile(bytes: Uint8Array): void {
  const document: z.output<typeof ProfileDocument> = ProfileDocument.parse(profileOfSpark(bytes, digest));
  expect(samplesOf(document)).toBe(document.samples.tick);
  expect(document.nodes.every(({ samples }) => samples >= 0)).toBe(true);
}

const calls = (depth: number, place: number): readonly Call[] =>
  depth === 0
    ? []
    : [1, 2].map((branch) => ({
        method: `net.example.Shop${place % 7}.run${branch}`,
        ms: [4 * (2 ** (depth + 1) - 2), 4],
        calls: calls(depth - 1, place * 2 + branch),
      }));

/** Small, and with something of everything that is read. */
const small = sparkFile({
  threads: [
    { calls: [{ method: "a.A.tick", ms: [4000, 4000], calls: calls(5, 1) }] },
    { name: "Netty", ms: [40] },
  ],
  metadata: [
    message(5, int(1, 1), int(3, 50), int(4, 9)),
    message(7, text(2, "Bukkit"), text(3, "1.21.4-1"), text(4, "1.21.4"), text(8, "Paper")),
    message(
      9,
      message(1, int(1, 8)),
      message(6, text(1, "Azul"), text(2, "21")),
      message(9, text(1, "OpenJDK")),
    ),
    source("shop", "Shop"),
  ],
  classSources: { "net.example.Shop1": "shop", "net.example.Shop2": "shop" },
});

const heap = joined(
  message(1, int(5, 1_781_909_865_732), message(2, text(2, "Paper"))),
  concat(
    Array.from({ length: 60 }, (_, index) =>
      message(
        2,
        int(1, index + 1),
        int(2, 99 - index),
        int(3, 1600 - 16 * index),
        text(4, `a.Class${index}`),
      ),
    ),
  ),
);

const histogram = Buffer.from(
  Array.from(
    { length: 60 },
    (_, index) => `${index + 1}: ${99 - index} ${1600 - 16 * index} a.Class${index} (m@1)`,
  ).join("\n"),
);

const recorded = sharedData("spark/uUrbLpnMju.sparkprofile");

describe("spoilt files", () => {
  it("[OUR-IMP-12] 3,000 copies of a small profile: documents or refusals in words, nothing else", () => {
    judge("small profile", small, 3000, checkProfile);
  });

  it("[OUR-IMP-12] 3,000 copies of a heap summary: the same", () => {
    judge("heap summary", heap, 3000, (bytes) => HeapSummary.parse(heapSummaryOfSpark(bytes, digest)));
  });

  it("[OUR-IMP-12] 3,000 copies of a class histogram: the same", () => {
    judge("histogram", new Uint8Array(histogram), 3000, (bytes) =>
      HeapSummary.parse(histogramOf(bytes, digest)),
    );
  });

  const copies = isLong ? 500 : 60;

  it.skipIf(recorded === null)(`[OUR-IMP-12] ${copies} copies of the recorded profile: the same`, () => {
    judge("recorded profile", new Uint8Array(readFileSync(recorded ?? "/dev/null")), copies, checkProfile);
  });
});
