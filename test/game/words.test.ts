import { expect, it } from "vitest";
import {
  addedChunks,
  blockDataAnswer,
  countAnswer,
  countIn,
  itemsIn,
  sprintReport,
} from "../../src/bench/game/answers.ts";
import { gcFiguresIn, jvmFactsIn } from "../../src/bench/game/gc-figures.ts";
import { hasTickCommand } from "../../src/bench/game/game-version.ts";

it.each([
  ["1.20.2", false],
  ["1.20.3", true],
  ["1.20.4", true],
  ["1.19.4", false],
  ["1.21", true],
  ["1.21.11-pre1", true],
  ["26.1", true],
  ["26.1.2 Release Candidate 1", true],
  ["23w42a", false],
  ["23w43a", true],
  ["25w31a", true],
  ["1.8.9", false],
  ["Combat Test 8c", null],
] as const)("[OUR-BCH-54] version %s has the command: %s", (version, has) => {
  expect(hasTickCommand(version)).toBe(has);
});

it("[OUR-BCH-55] answers are read in the words of the game's language file, and nothing else is a number", () => {
  const report = (line: string): number | null => {
    const ms = sprintReport.exec(line)?.[1];
    return ms === undefined ? null : Number(ms.replace(",", "."));
  };
  expect(
    report(
      "[12:00:01] [Server thread/INFO]: Sprint completed with 119 ticks per second, or 8.40 ms per tick",
    ),
  ).toBe(8.4);
  expect(report("[12:00:01 INFO]: Sprint completed with 119 ticks per second, or 8,40 ms per tick")).toBe(
    8.4,
  );
  expect(report("Sprint completed with 119 ticks per second")).toBeNull();
  expect(report("Sprint abgeschlossen mit 119 Ticks pro Sekunde oder 8.40 ms pro Tick")).toBeNull();

  const count = (answer: string): number | null => {
    const found = countAnswer.exec(answer);
    return found && countIn(found);
  };
  expect(count("Test passed. Count: 640")).toBe(640);
  expect(count("Test passed, count: 640")).toBe(640);
  expect(count("Test failed")).toBe(0);
  expect(count("Test passed")).toBeNull();
  expect(count("640")).toBeNull();

  expect(
    addedChunks.exec(
      "Marked 256 chunks in minecraft:overworld from [1, 1] to [16, 16] to be force loaded",
    )?.[1],
  ).toBe("256");
  expect(addedChunks.test("Marked chunk [1, 1] in minecraft:overworld to be force loaded")).toBe(true);
  expect(addedChunks.test("No chunks were marked for force loading")).toBe(false);

  const items = (answer: string): number | null => {
    const found = blockDataAnswer.exec(answer);
    return found && itemsIn(found[1] ?? "");
  };
  const at = "520, 64, 512 has the following block data:";
  expect(
    items(
      `${at} [{count: 64, Slot: 0b, id: "minecraft:cobblestone"}, {count: 3, Slot: 1b, id: "minecraft:cobblestone"}]`,
    ),
  ).toBe(67);
  expect(items(`${at} [{Slot: 0b, id: "minecraft:cobblestone", Count: 64b}]`)).toBe(64);
  expect(items(`${at} []`)).toBe(0);
  expect(items("Found no elements matching Items")).toBe(0);
  expect(items("The target block is not a block entity")).toBeNull();
});

it("[OUR-BCH-43] pauses and heap are read from the JVM's log", () => {
  const lines = [
    "[0.007s][info][gc] Using G1",
    "[0.027s][info][gc,init] Version: 17.0.15+6-Debian-1deb12u1 (release)",
    "[0.028s][info][gc,init] Heap Initial Capacity: 378M",
    "[0.028s][info][gc,init] Heap Max Capacity: 512M",
    "[1.000s][info][gc] GC(0) Pause Young (Concurrent Start) (G1 Humongous Allocation) 300M->100M(512M) 5.500ms",
    "[2.000s][info][gc] GC(1) Pause Full (System.gc()) 200M->80M(512M) 30.000ms",
    "[2.100s][info][gc] GC(2) Pause Remark 82M->82M(512M) 1.500ms",
  ];
  expect(jvmFactsIn(lines)).toEqual({ collector: "g1", javaMajor: 17, heapInitialMb: 378, heapMaxMb: 512 });
  expect(gcFiguresIn(lines)).toEqual({
    gc: {
      pauses_count: 3,
      pause_total_ms: 37,
      pause_max_ms: 30,
      explicit_gc_count: 1,
      humongous_allocations: 1,
    },
    heap: { used_max_mb: 300, after_gc_max_mb: 100, after_gc_last_mb: 80, after_gc_samples: 2 },
  });
  const zgc = [
    "[0.004s] Initializing The Z Garbage Collector",
    "[0.007s] Initial Capacity: 378M",
    "[0.007s] Max Capacity: 4G",
  ];
  expect(jvmFactsIn(zgc)).toEqual({ collector: "zgc", javaMajor: null, heapInitialMb: 378, heapMaxMb: 4096 });
  expect(jvmFactsIn([])).toEqual({ collector: null, javaMajor: null, heapInitialMb: null, heapMaxMb: null });
});
