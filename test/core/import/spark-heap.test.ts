import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { heapSummaryOfSpark } from "../../../src/core/import/spark-heap.ts";
import { HeapSummary } from "../../../src/core/memory-report/document.ts";
import { concat, int, joined, message, text } from "../../support/protobuf-writer.ts";
import { sparkFile } from "../../support/spark-file.ts";
import { digest, refusalOf } from "./reading.ts";

type Row = readonly [type: string, instances: number, size: number | bigint];

const entries = (rows: readonly Row[]): Uint8Array =>
  concat(
    rows.map(([type, instances, size], index) =>
      message(2, int(1, index + 1), int(2, instances), int(3, size), text(4, type)),
    ),
  );

const read = (...parts: readonly Uint8Array[]): z.output<typeof HeapSummary> =>
  HeapSummary.parse(heapSummaryOfSpark(joined(...parts), digest));
const refusal = (...parts: readonly Uint8Array[]): string =>
  refusalOf(() => heapSummaryOfSpark(joined(...parts), digest));

const rows: readonly Row[] = [
  ["[B", 418_366, 33_444_336],
  ["java.lang.String", 392_977, 9_431_448],
  ["byte[]", 3, 5_000_000_000],
  ["net.minecraft.core.BlockPos", 1, 24],
];

describe("a heap summary of spark", () => {
  it("[OUR-IMP-10] is an upload with the classes, the server and when it was made", () => {
    const metadata = message(
      1,
      message(2, text(2, "Paper"), text(3, "git-Paper-387 (MC: 1.20.2)"), text(4, "1.20.2")),
      message(3, message(1, message(1, int(1, 8_416_807_824), int(4, 25_769_803_776)))),
      message(4, message(6, text(2, "21.0.5"))),
      int(5, 1_781_909_865_732),
      message(7, text(1, "shop"), message(2, text(1, "Shop"))),
      message(7, text(1, "bukkit"), message(2, text(1, "Bukkit"))),
    );
    expect(read(metadata, entries(rows))).toEqual({
      schema: "service-heap-summary/1",
      local_id: `spark-${digest}`,
      created_at: "2026-06-19T22:57:45.732Z",
      plugin_version: null,
      platform: {
        server_type: "paper",
        server_version: "1.20.2-git-Paper-387",
        java_version: "21.0.5",
        service_version: null,
        plugins: ["Shop"],
      },
      mode: null,
      heap_used_bytes: 5_042_875_808,
      heap_max_bytes: 25_769_803_776,
      classes_complete: true,
      classes: [
        { class_name: "byte[]", owner: null, plugin: false, objects: 3, bytes: 5_000_000_000 },
        { class_name: "[B", owner: null, plugin: false, objects: 418_366, bytes: 33_444_336 },
        { class_name: "java.lang.String", owner: null, plugin: false, objects: 392_977, bytes: 9_431_448 },
        { class_name: "net.minecraft.core.BlockPos", owner: null, plugin: false, objects: 1, bytes: 24 },
      ],
    });
  });

  it("[OUR-IMP-10] tells null where the file tells nothing, and -1 is no limit", () => {
    const bare = read(entries(rows));
    expect(bare).toMatchObject({ created_at: null, heap_max_bytes: null });
    expect(bare.platform).toMatchObject({ server_type: null, java_version: null, plugins: null });
    const unlimited = message(1, message(3, message(1, message(1, int(4, -1)))));
    expect(read(unlimited, entries(rows)).heap_max_bytes).toBeNull();
  });

  it("[OUR-IMP-10] the same class of several class loaders is one row, and the heaviest 100,000 are kept", () => {
    const twice = read(entries([...rows, ["[B", 2, 64]]));
    expect(twice.classes).toHaveLength(4);
    expect(twice.classes[1]).toMatchObject({ class_name: "[B", objects: 418_368, bytes: 33_444_400 });
    const many = Array.from({ length: 100_050 }, (_, index): Row => [`c${index}`, 1, 16 + index]);
    const kept = read(entries(many));
    expect(kept.classes).toHaveLength(100_000);
    expect(kept.classes_complete).toBe(false);
    expect(kept.classes.at(-1)?.bytes).toBe(66);
    expect(kept.heap_used_bytes).toBe(many.reduce((sum, [, , size]) => sum + Number(size), 0));
  });

  it("[OUR-IMP-10] what cannot be is refused, and what is no heap summary with what to send", () => {
    expect(refusal(entries([["[B", -1, 16]]))).toContain("that are impossible");
    expect(refusal(entries([["[B", 1, -16]]))).toContain("that are impossible");
    expect(refusal(entries([["[B", 1, 2n ** 62n]]))).toContain("that are impossible");
    expect(refusal(entries([["", 1, 16]]))).toContain("a class without a name");
    expect(refusal()).toMatch(/not a heap summary of spark\. Send the \.sparkheap/);
    expect(refusal(sparkFile())).not.toBe("taken");
    expect(refusal(Buffer.from("JAVA PROFILE 1.0.2"))).not.toBe("taken");
  });

  it("[OUR-IMP-09] holds nothing of who made it, the configuration and JVM arguments", () => {
    const secret = "hunter2";
    const metadata = message(
      1,
      message(1, text(2, secret), text(3, secret)),
      message(4, message(6, text(3, secret), text(4, secret))),
      message(6, text(1, secret), text(2, secret)),
      message(8, text(1, secret), text(2, secret)),
    );
    expect(JSON.stringify(read(metadata, entries(rows)))).not.toContain(secret);
  });
});
