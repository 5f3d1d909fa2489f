import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { bundle } from "lightningcss";
import { rolldown } from "rolldown";
import { newBuild, publish, removeOldBuilds } from "./builds.mjs";

// Makes a folder in `dist` from the sources: few files, because Node.js needs longer to find 1,700 modules than to run them.
// Each build has a folder of its own, and `dist/main.js` leads to the newest: nothing that runs loses its files.

/** What Node.js starts: the program, what the program starts beside itself, and the steps of the build. */
const input = {
  main: "src/main.ts",
  "checkpoint-thread": "src/store/engine/checkpoint-thread.ts",
  "document-thread": "src/documents/document-thread.ts",
  "machine-test": "src/bench/machine/test-process.ts",
  "cpu-thread": "src/bench/machine/cpu/cpu-thread.ts",
  "build-kernels": "src/bench/build-kernels.ts",
  "build-manifest": "src/cli/build-manifest.ts",
};

/**
 * Packages stay outside, all but those that every start needs and that have hundreds of modules, of which Node.js would
 * look for each; with what they import.
 */
const bundled = new Set(
  [
    "zod obscenity kysely commander",
    "fastify fastify-plugin find-my-way avvio light-my-request fastq reusify semver toad-cache ret safe-regex2 rfdc",
    "secure-json-parse fast-json-stringify fast-querystring fast-decode-uri-component process-warning cookie ipaddr.js",
    "prom-client tdigest bintrees",
    "tsyringe tslib reflect-metadata asn1js pvtsutils pvutils",
  ].flatMap((line) => line.split(" ")),
);
const bundledScopes =
  /^@(modelcontextprotocol|fastify|lukeed|pinojs|opentelemetry|simplewebauthn|peculiar|hexagon|levischuck)\//;

/** The package of an import such as `zod/v4` or `@fastify/cookie`. */
const packageOf = (id) => /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id;
const isBundled = (id) => bundled.has(packageOf(id)) || bundledScopes.test(id);

/** The licences of the bundled packages ask for their texts beside the code. */
const licences = {
  name: "licences of the bundled packages",
  generateBundle() {
    const folders = new Set(
      [...this.getModuleIds()].flatMap(
        (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? [],
      ),
    );
    const texts = [...folders].toSorted().map((folder) => {
      const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      if (file === undefined) throw new Error(`The bundled package ${name} has no licence text.`);
      return `${name} ${version}\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
    });
    this.emitFile({ type: "asset", fileName: "chunks/LICENSES.txt", source: texts.join("\n---\n\n") });
  },
};

process.chdir(import.meta.dirname);
const program = await rolldown({
  input,
  platform: "node",
  external: (id) => /^[^./]/.test(id) && !isBundled(id),
  plugins: [licences],
});
const build = newBuild();
// What a command imports only when it needs it stays a file of its own.
await program.write({
  dir: build.folder,
  chunkFileNames: "chunks/[name].js",
  comments: false,
  sourcemap: true,
});
await program.close();

/**
 * What browsers get: the scripts of the pages, with what they share in files of its own, the style sheets and the mark.
 * Each is also compressed at the best quality of Brotli, which takes 0.1 s for the largest.
 */
const scripts = await rolldown({
  input: Object.fromEntries(
    readdirSync("src/dashboard/scripts")
      .filter((name) => name.endsWith(".ts"))
      .map((name) => [name.slice(0, -".ts".length), `src/dashboard/scripts/${name}`]),
  ),
  platform: "browser",
});
const browser = `${build.folder}/browser`;
await scripts.write({
  dir: browser,
  entryFileNames: "[name].js",
  chunkFileNames: "shared-[name].js",
  minify: true,
});
await scripts.close();

const styles = "src/dashboard/assets";
for (const name of readdirSync(styles).filter((name) => name.endsWith(".css"))) {
  const { code } = bundle({ filename: `${styles}/${name}`, minify: true });
  writeFileSync(`${browser}/${name}`, code);
}
copyFileSync(`${styles}/mark.svg`, `${browser}/mark.svg`);
const uplot = dirname(createRequire(import.meta.url).resolve("uplot/dist/uPlot.esm.js"));
copyFileSync(`${uplot}/uPlot.min.css`, `${browser}/uplot.css`);
for (const name of readdirSync(browser))
  writeFileSync(`${browser}/${name}.br`, brotliCompressSync(readFileSync(`${browser}/${name}`)));

for (const step of ["build-kernels.js", "build-manifest.js"])
  execFileSync(process.execPath, [`${build.folder}/${step}`], { stdio: "inherit" });
publish(build);
removeOldBuilds();
