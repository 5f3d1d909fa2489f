import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { bundle } from "lightningcss";
import { rolldown } from "rolldown";

// Makes `dist` from the sources: few files, because Node.js needs longer to find 1,700 modules than to run them.

/** What Node.js starts: the program, what the program starts beside itself, and the steps of the build. */
const input = {
  main: "src/main.ts",
  "document-thread": "src/documents/document-thread.ts",
  "machine-test": "src/bench/machine/test-process.ts",
  "cpu-thread": "src/bench/machine/cpu/cpu-thread.ts",
  "build-kernels": "src/bench/build-kernels.ts",
  "build-manifest": "src/cli/build-manifest.ts",
};

/** Packages stay outside, all but this one of 262 modules, of which every start needs some. */
const bundled = "kysely";

/** The licence of the bundled package asks for its text beside the code. */
const licence = {
  name: "licence of the bundled package",
  generateBundle() {
    const source = readFileSync(`node_modules/${bundled}/LICENSE`, "utf8");
    this.emitFile({ type: "asset", fileName: `chunks/${bundled}.LICENSE.txt`, source });
  },
};

process.chdir(import.meta.dirname);
const program = await rolldown({
  input,
  platform: "node",
  external: (id) => /^[^./]/.test(id) && id !== bundled,
  plugins: [licence],
});
rmSync("dist/chunks", { recursive: true, force: true });
// What a command imports only when it needs it stays a file of its own.
await program.write({ dir: "dist", chunkFileNames: "chunks/[name].js", comments: false, sourcemap: true });
await program.close();

/** What browsers get: the scripts of the pages, with what they share in files of its own, and the style sheets. */
const scripts = await rolldown({
  input: Object.fromEntries(
    readdirSync("src/dashboard/scripts")
      .filter((name) => name.endsWith(".ts"))
      .map((name) => [name.slice(0, -".ts".length), `src/dashboard/scripts/${name}`]),
  ),
  platform: "browser",
});
rmSync("dist/browser", { recursive: true, force: true });
await scripts.write({
  dir: "dist/browser",
  entryFileNames: "[name].js",
  chunkFileNames: "shared-[name].js",
  minify: true,
});
await scripts.close();

const styles = "src/dashboard/assets";
for (const name of readdirSync(styles).filter((name) => name.endsWith(".css"))) {
  const { code } = bundle({ filename: `${styles}/${name}`, minify: true });
  writeFileSync(`dist/browser/${name}`, code);
}

for (const step of ["dist/build-kernels.js", "dist/build-manifest.js"])
  execFileSync(process.execPath, [step], { stdio: "inherit" });
