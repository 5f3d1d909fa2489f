import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtFile, projectFolder } from "../program/program-files.ts";

// A build step: compiles the kernels whose source, compiler or options changed.
const sources = join(projectFolder, "src/bench/kernels");
const target = builtFile("kernels");
const compiler = fileURLToPath(import.meta.resolve("assemblyscript/bin/asc.js"));
const compilerManifest = fileURLToPath(import.meta.resolve("assemblyscript/package.json"));

// The caller makes the memory, because it knows how much there may be.
const options = ["-O3", "--runtime", "stub", "--noAssert", "--importMemory", "--enable", "simd"];

mkdirSync(target, { recursive: true });
for (const name of ["cpu", "memory"]) {
  const source = join(sources, `${name}.ts`);
  const [kernel, stamp] = [join(target, `${name}.wasm`), join(target, `${name}.built-from`)];
  const parts = [readFileSync(source), readFileSync(compilerManifest), options.join(" ")];
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  const builtFrom = hash.digest("hex");
  if (existsSync(kernel) && existsSync(stamp) && readFileSync(stamp, "utf8") === builtFrom) continue;
  execFileSync(process.execPath, [compiler, source, ...options, "--outFile", kernel], { stdio: "inherit" });
  writeFileSync(stamp, builtFrom);
}
