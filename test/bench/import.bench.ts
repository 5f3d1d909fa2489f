import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { bundled } from "../support/bundled.ts";
import { hostileImports } from "../support/hostile-imports.ts";
import { joined } from "../support/protobuf-writer.ts";
import { sharedData } from "../support/shared-data.ts";

const script = await bundled(join(import.meta.dirname, "import-file.ts"));
const folder = mkdtempSync(join(tmpdir(), "tickmark-import-"));
afterAll(() => {
  script.remove();
  rmSync(folder, { recursive: true, force: true });
});

const Took = z.object({
  readMs: z.number(),
  cpuMs: z.number(),
  taken: z.object({ parseMs: z.number(), checkMs: z.number() }).nullable(),
  peakMb: z.number(),
  grownMb: z.number(),
  refusal: z.string().nullable(),
});

function measure(name: string, kind: string, bytes: Uint8Array): z.output<typeof Took> {
  const path = join(folder, "file");
  writeFileSync(path, bytes);
  const took = Took.parse(
    JSON.parse(execFileSync(process.execPath, [script.path, kind, path], { encoding: "utf8" })),
  );
  const { taken } = took;
  const beside = taken
    ? `; beside, JSON.parse of what it became ${taken.parseMs.toFixed(0)} ms, its schema ${taken.checkMs.toFixed(0)} ms`
    : "";
  console.log(
    `${kind}, ${name}, ${(bytes.length / 1024 / 1024).toFixed(1)} MiB: ${took.readMs.toFixed(0)} ms, of CPU ${took.cpuMs.toFixed(0)} ms, ` +
      `peak ${took.peakMb.toFixed(0)} MB, grown by ${took.grownMb.toFixed(0)} MB, ${took.refusal ?? "taken"}${beside}`,
  );
  return took;
}

it("what the worst files of 16 MiB cost", () => {
  for (const [name, { kind, bytes }] of Object.entries(hostileImports)) {
    const { cpuMs, grownMb } = measure(name, kind, bytes());
    expect(cpuMs, name).toBeLessThan(2000);
    expect(grownMb, name).toBeLessThan(300);
  }
});

/** Messages that stand one after the other are one: the metadata of the last, and the threads of all. */
it("what a real profile costs, and one of four such threads", () => {
  const path = sharedData("spark/uUrbLpnMju.sparkprofile");
  if (path === null) return;
  const recorded = new Uint8Array(readFileSync(path));
  measure("a recorded one", "profile", recorded);
  measure("the recorded one four times", "profile", joined(recorded, recorded, recorded, recorded));
});
