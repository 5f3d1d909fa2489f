import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { histogramOf } from "../../../src/core/import/class-histogram.ts";
import { HeapSummary } from "../../../src/core/memory-report/document.ts";
import { sharedData } from "../../support/shared-data.ts";
import { digest, refusalOf, sum } from "./reading.ts";

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "utf8"));
const read = (text: string | Uint8Array): z.output<typeof HeapSummary> =>
  HeapSummary.parse(histogramOf(typeof text === "string" ? bytesOf(text) : text, digest));
const refusal = (text: string | Uint8Array): string =>
  refusalOf(() => histogramOf(typeof text === "string" ? bytesOf(text) : text, digest));

const head = [
  "9986:",
  " num     #instances         #bytes  class name (module)",
  "-------------------------------------------------------",
];
const rows = [
  "   1:        418366       33444336  [B (java.base@21.0.12.1)",
  "   2:        270326       32655968  [Ljava.lang.Object; (java.base@21.0.12.1)",
  "   3:        343385       21976640  net.minecraft.world.phys.AABB",
];
const total = "Total       1032077       88076944";
const whole = [...head, ...rows, total, ""].join("\n");

const recorded = sharedData("memory/class-histogram-paper.txt");
const tools = { java: "java", jcmd: "jcmd" };
const missingJava = Object.values(tools).filter((tool) => spawnSync(tool, ["-help"]).error !== undefined);

describe("a class histogram", () => {
  it("[OUR-IMP-11] is an upload with a row for each class, its module left out", () => {
    expect(read(whole)).toEqual({
      schema: "service-heap-summary/1",
      local_id: `histogram-${digest}`,
      created_at: null,
      plugin_version: null,
      platform: {
        server_type: null,
        server_version: null,
        java_version: null,
        service_version: null,
        plugins: null,
      },
      mode: null,
      heap_used_bytes: 88_076_944,
      heap_max_bytes: null,
      classes_complete: true,
      classes: [
        { class_name: "[B", owner: null, plugin: false, objects: 418_366, bytes: 33_444_336 },
        {
          class_name: "[Ljava.lang.Object;",
          owner: null,
          plugin: false,
          objects: 270_326,
          bytes: 32_655_968,
        },
        {
          class_name: "net.minecraft.world.phys.AABB",
          owner: null,
          plugin: false,
          objects: 343_385,
          bytes: 21_976_640,
        },
      ],
    });
  });

  it("[OUR-IMP-11] reads what older Java, Windows and PowerShell make of it", () => {
    const plain = read(whole).classes;
    expect(read(whole.replaceAll("\n", "\r\n")).classes).toEqual(plain);
    expect(read(whole.replace(" (module)", "").replaceAll(/ \(java.base@[\d.]+\)/g, "")).classes).toEqual(
      plain,
    );
    expect(read([...rows, total].join("\n")).classes).toEqual(plain);
    expect(read(Buffer.from(`\ufeff${whole}`, "utf16le")).classes).toEqual(plain);
    expect(read(`\ufeff${whole}`).classes).toEqual(plain);
    const odd = read("1: 1 16 a.B(c) (m@1)\n2: 1 16 a.B(d)\n3: 1 16 é.Ü (m)");
    expect(odd.classes.map(({ class_name }) => class_name)).toEqual(["a.B(c)", "a.B(d)", "é.Ü"]);
  });

  it("[OUR-IMP-200] reads OpenJ9's table, what tools say before it, and a prompt that was copied along", () => {
    const ofOpenJ9 = [
      "  num   object count     total size    class name",
      "-------------------------------------------------",
      "    1           8241          1016128    [B",
      "    2            900            86400    java.lang.Class",
      "Total          9141          1102528",
    ].join("\n");
    expect(read(ofOpenJ9)).toMatchObject({ heap_used_bytes: 1_102_528, classes_complete: true });
    expect(read(ofOpenJ9).classes.map(({ class_name, objects }) => [class_name, objects])).toEqual([
      ["[B", 8241],
      ["java.lang.Class", 900],
    ]);
    const plain = read(whole).classes;
    for (const before of [
      "Picked up JAVA_TOOL_OPTIONS: -Dfile.encoding=UTF-8\n",
      "NOTE: Picked up JDK_JAVA_OPTIONS: -Xmx64m\nPicked up _JAVA_OPTIONS: -Xms8m\n",
      "mc@host:~$ /opt/java/bin/jcmd 9986 GC.class_histogram\n",
      "PS C:\\mc> jcmd 9986 GC.class_histogram\n",
    ])
      expect(read(before + whole).classes).toEqual(plain);
    for (const prompt of ["mc@host:~$ ", "[root@host /]# ", "PS C:\\mc>", "\nmc% \n"])
      expect(read(whole + prompt).classes).toEqual(plain);
    expect(refusal(`${whole}a word`)).toContain("line 8 stands after the total");
    expect(refusal(`${[...head, ...rows].join("\n")}\nmc@host:~$\n${total}`)).toContain("line 7 is no row");
    const path = sharedData("public/openj9-class-histogram.txt");
    if (path === null) return;
    const recordedTable = read(new Uint8Array(readFileSync(path)));
    expect([recordedTable.classes.length, recordedTable.heap_used_bytes]).toEqual([3, 1_270_528]);
  });

  it("[OUR-IMP-11] chosen rows are taken; without the total the heap's size is not known", () => {
    const known = (...lines: (string | undefined)[]) => {
      const { heap_used_bytes, classes_complete, classes } = read([...head, ...lines].join("\n"));
      return [heap_used_bytes, classes_complete, classes.length];
    };
    expect(known(...rows, total)).toEqual([88_076_944, true, 3]);
    expect(known(...rows)).toEqual([null, null, 3]);
    expect(known(rows[0], rows[2])).toEqual([null, false, 2]);
    expect(known(rows[0], rows[2], total)).toEqual([88_076_944, false, 2]);
    expect(known(rows[1], rows[2], total)).toEqual([88_076_944, false, 2]);
    // Its head with the total appended.
    expect(known(rows[0], rows[1], total)).toEqual([88_076_944, false, 2]);
    expect(known(...rows, total.replace("1032077", "1032078"))).toEqual([88_076_944, false, 3]);
  });

  it("[OUR-IMP-11] of more classes than a document holds the heaviest are kept, and all are summed", () => {
    const lines = Array.from(
      { length: 100_050 },
      (_, index) => `${index + 1}: 1 ${100_066 - index} c${index}`,
    );
    const sum = (100_050 * (100_066 + 17)) / 2;
    const kept = read([...lines, `Total 100050 ${sum}`].join("\n"));
    expect(kept.classes).toHaveLength(100_000);
    expect(kept).toMatchObject({ heap_used_bytes: sum, classes_complete: false });
    expect(refusal([...lines, `Total 100050 ${sum - 1}`].join("\n"))).toContain("more than its total");
    expect(read(lines.slice(0, 100_000).join("\n")).classes_complete).toBeNull();
  });

  it.skipIf(recorded === null)("[OUR-IMP-11] reads the recorded head of a Paper server's", () => {
    const document = read(new Uint8Array(readFileSync(recorded ?? "/dev/null")));
    expect(document.classes).toHaveLength(27);
    expect(document.heap_used_bytes).toBeNull();
    expect(document.classes[0]).toMatchObject({ class_name: "[B", objects: 418_366, bytes: 33_444_336 });
    expect(document.classes.some(({ class_name }) => /[ (]/.test(class_name))).toBe(false);
    expect(document.classes.map(({ class_name }) => class_name)).toContain(
      "me.lucko.spark.paper.common.sampler.node.StackTraceNode$AsyncDescription",
    );
  });

  const wrong: Readonly<Record<string, readonly [text: string, why: RegExp]>> = {
    "no text at all": ["", /it has no row/],
    "only its head": [head.join("\n"), /it has no row/],
    "an answer of jcmd that is none": ["9986:\nCould not find any processes matching", /line 2 is no row/],
    JSON: ['{"schema":"service-heap-summary/1"}', /line 1 is no row/],
    "two of them": [`${whole}${whole}`, /line 8 stands after the total/],
    "two of them without their totals": [
      [...head, ...rows, ...head.slice(1), ...rows].join("\n"),
      /out of order/,
    ],
    "a row without its class": [`${head.join("\n")}\n   1:   5   80`, /line 4 is no row/],
    "a negative number": ["   1:   -5   80  [B", /line 1 is no row/],
    "a number of 16 digits": ["   1:   1   1234567890123456  [B", /line 1 is no row/],
    "a total of fewer bytes than its rows": [
      whole.replace("88076944", "88076943"),
      /rows are more than its total/,
    ],
    "a total of fewer objects than its rows": [whole.replace("1032077", "1032076"), /more than its total/],
    "chosen rows that are more than their total": [
      [...head, rows[0], rows[2], "Total 5 80"].join("\n"),
      /more than its total/,
    ],
  };
  for (const [name, [text, why]] of Object.entries(wrong))
    it(`[OUR-IMP-11] ${name}: refused, with what to send`, () => {
      expect(refusal(text)).toMatch(why);
      expect(refusal(text)).toMatch(
        /^This is not a class histogram: .*Send the unchanged output of jcmd PID GC\.class_histogram/,
      );
    });

  it("[OUR-IMP-11] bytes that are no text are refused", () => {
    expect(refusal(Uint8Array.of(0x31, 0x3a, 0xff, 0xfe))).toContain("line 1 is no row");
    expect(refusal(Buffer.from("JAVA PROFILE 1.0.2\0\0\0\0\u0008"))).not.toBe("taken");
  });

  it.skipIf(missingJava.length > 0)(
    "[OUR-IMP-11] reads that of a JVM that runs here, whole and to the byte",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "tickmark-jvm-"));
      const file = join(folder, "Nap.java");
      writeFileSync(
        file,
        'class Nap { public static void main(String[] a) throws Exception { System.out.println("up"); Thread.sleep(120000); } }',
      );
      const java = spawn(tools.java, ["-Xmx64m", file], { stdio: ["ignore", "pipe", "inherit"] });
      try {
        await Promise.race([once(java.stdout, "data"), once(java, "exit")]);
        expect(java.exitCode).toBeNull();
        for (const all of [[], ["-all"]]) {
          const printed = execFileSync(tools.jcmd, [String(java.pid), "GC.class_histogram", ...all]);
          const document = HeapSummary.parse(histogramOf(printed, digest));
          const [, objects, bytes] = /^Total +(\d+) +(\d+)$/m.exec(printed.toString()) ?? [];
          expect([document.heap_used_bytes, document.classes_complete]).toEqual([Number(bytes), true]);
          expect(sum(document.classes.map((row) => row.bytes))).toBe(Number(bytes));
          expect(sum(document.classes.map((row) => row.objects))).toBe(Number(objects));
          expect(document.classes.length).toBeGreaterThan(400);
          expect(document.classes.map(({ class_name }) => class_name)).toContain("java.lang.String");
          console.log(
            `jcmd GC.class_histogram ${all.join()}: ${document.classes.length} classes, ${bytes} bytes`,
          );
        }
      } finally {
        if (java.exitCode === null && java.kill()) await once(java, "exit");
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
  if (missingJava.length > 0)
    console.warn(`*** SKIPPED: no ${missingJava.join(" and ")} here: no live class histogram is read ***`);
});
