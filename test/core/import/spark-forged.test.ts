import { describe, expect, it } from "vitest";
import {
  concat,
  entry,
  int,
  joined,
  message,
  packedDoubles,
  packedInts,
  text,
} from "../../support/protobuf-writer.ts";
import { callNode, sparkFile, type SparkFile } from "../../support/spark-file.ts";
import { profileOfSpark } from "../../../src/core/import/spark-profile.ts";
import { digest, imported, paths, refusalOf } from "./reading.ts";
import { maxFrames, maxNodes } from "../../../src/core/profile/document.ts";

const refusal = (file: SparkFile | Uint8Array): string =>
  refusalOf(() => profileOfSpark(file instanceof Uint8Array ? file : sparkFile(file), digest));

describe("a profile that cannot be", () => {
  const thread = (...fields: readonly Uint8Array[]): SparkFile => ({ threads: [{ raw: concat(fields) }] });
  const [a, b] = [callNode("a.A.x", [4], []), callNode("b.B.y", [8], [0])];
  const forged: Readonly<Record<string, SparkFile>> = {
    "a call that makes itself": thread(callNode("a.A.x", [4], [0]), packedInts(5, [0])),
    "a reference to a later call": thread(callNode("a.A.x", [4], [1]), a, packedInts(5, [0, 1])),
    "two calls that make each other": thread(callNode("a.A.x", [4], [1]), b, packedInts(5, [1])),
    "a call made twice": thread(a, b, callNode("c.C.z", [8], [0]), packedInts(5, [1, 2])),
    "a call made twice by one": thread(a, callNode("b.B.y", [8], [0, 0]), packedInts(5, [1])),
    "a call made by another and by nobody": thread(a, b, packedInts(5, [1, 0])),
    "a negative reference": thread(a, callNode("b.B.y", [8], [-1]), packedInts(5, [1])),
    "a reference beyond all": thread(a, packedInts(5, [0, 7])),
    "a reference of 2^31": thread(a, packedInts(5, [0, 2 ** 31])),
    "a call that nothing made": thread(a, b, packedInts(5, [])),
    "calls that take longer than their caller": thread(
      callNode("a.A.x", [40], []),
      callNode("b.B.y", [8], [0]),
      packedInts(5, [1]),
    ),
    "calls that take longer than their thread": thread(
      callNode("a.A.x", [40], []),
      packedDoubles(4, [4]),
      packedInts(5, [0]),
    ),
    "negative time": thread(callNode("a.A.x", [-4], []), packedInts(5, [0])),
    "time that is not a number": thread(callNode("a.A.x", [Number.NaN], []), packedInts(5, [0])),
    "endless time": thread(callNode("a.A.x", [Number.POSITIVE_INFINITY], []), packedInts(5, [0])),
  };
  for (const [name, file] of Object.entries(forged))
    it(`[OUR-IMP-06] ${name} is refused as forged`, () => {
      expect(refusal(file)).toMatch(/^The profile contradicts itself: .*Send the file again/);
    });

  it("[OUR-IMP-06] a caller may lack two samples of what it called, and is then 0 by itself", () => {
    const close = (ms: number) =>
      thread(callNode("a.A.x", [ms], []), callNode("b.B.y", [8], [0]), packedInts(5, [1]));
    expect(paths(imported(close(8.0000001)))).toEqual({ "b.B.y": 0, "b.B.y > a.A.x": 2 });
    expect(paths(imported(close(16)))).toEqual({ "b.B.y": 0, "b.B.y > a.A.x": 4 });
    expect(imported(close(16)).samples.tick).toBe(4);
    expect(refusal(close(20))).toContain("took less time than what it called");
  });

  it("[OUR-IMP-06] more calls, methods or samples than a document holds are refused", () => {
    const calls = (count: number, methods: number): Uint8Array => {
      const nodes = Array.from({ length: methods }, (_, index) => callNode(`m${index}.x`, [4], []));
      return sparkFile({
        threads: [
          {
            raw: joined(
              concat(Array.from({ length: count }, (_, index) => nodes[index % methods] ?? a)),
              packedInts(
                5,
                Array.from({ length: count }, (_, index) => index),
              ),
            ),
          },
        ],
      });
    };
    expect(refusal(calls(maxNodes + 1, 5))).toContain(`more than ${maxNodes} calls`);
    expect(refusal(calls(maxFrames + 2, maxFrames + 2))).toContain(`more than ${maxFrames} methods`);
    expect(refusal(thread(callNode("a.A.x", [4e12], []), packedInts(5, [0])))).toBe("taken");
    expect(refusal(thread(callNode("a.A.x", [5e12], []), packedInts(5, [0])))).toContain(
      "an impossible number of samples",
    );
  });

  it("[OUR-IMP-07] a profile of allocations counts bytes and is refused, as are modes nobody knows", () => {
    expect(refusal({ metadata: [int(15, 1)] })).toMatch(/samples of allocations.*without --alloc/);
    expect(refusal({ metadata: [int(15, 2)] })).toContain("Send a CPU profile");
    expect(refusal({ metadata: [int(15, 0)] })).toBe("taken");
  });

  it("[OUR-IMP-07] what is no profile of spark is refused with what to send", () => {
    expect(refusal(new Uint8Array())).toMatch(/not a profile of spark\. Send the \.sparkprofile/);
    expect(refusal(Buffer.from('{"schema":"service-profile/1"}'))).toContain("damaged or of another kind");
    expect(refusal(sparkFile({ intervalUs: -1, metadata: [message(7, text(2, "Paper"))] }))).toContain(
      "no sampling interval",
    );
    const heap = joined(message(1, int(5, 1)), message(2, int(1, 1), int(2, 5), int(3, 80), text(4, "[B")));
    expect(refusal(heap)).not.toBe("taken");
  });

  it("[OUR-IMP-06] too many owners of classes are refused", () => {
    const entries = Array.from({ length: 400_001 }, (_, index) => entry(3, `c${index}`, text(2, "s")));
    expect(refusal({ more: entries })).toContain("owners of more than 400000 classes");
  });
});

describe("what a profile of spark tells beside it", () => {
  it("[OUR-IMP-09] is left out: who recorded it, comment, configurations, arguments, whatever the platform adds", () => {
    const secret = "hunter2";
    const metadata = [
      message(1, int(1, 1), text(2, secret), text(3, secret)),
      message(4, text(3, secret)),
      text(6, secret),
      message(7, text(2, "Paper"), text(5, secret), text(9, secret)),
      message(8, text(9, secret)),
      message(9, message(5, text(2, secret)), message(6, text(3, secret), text(4, secret)), text(8, secret)),
      message(10, text(1, secret), text(2, secret)),
      message(13, text(1, "shop"), message(2, text(1, "Shop"), text(3, secret), text(4, secret))),
      message(14, text(1, secret), text(2, secret)),
      text(17, secret),
      message(18, text(1, secret)),
    ];
    const threads = [
      { calls: [{ method: "a.A.x", ms: 4 }] },
      { name: secret, calls: [{ method: secret, ms: 4 }] },
    ];
    const more = [4, 5].map((field) => message(field, text(1, secret), text(2, secret)));
    const document = imported({ metadata, threads, more, classSources: { [secret]: secret } });
    expect(document.samples).toMatchObject({ tick: 1, total: 2 });
    expect(JSON.stringify(document)).not.toContain(secret);
  });
});
