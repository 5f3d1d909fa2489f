import { randomBytes } from "node:crypto";
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";

const folder = "dist";
const nameForm = /^build-[0-9a-z]+-[0-9a-f]+$/;

/** So many of the newest builds stay, also where nobody uses them: a program may be about to open one. */
const kept = 3;

/** A new folder for a build. It stays open while it is made, so that no other build takes it for an old one. */
export function newBuild() {
  const name = `build-${Date.now().toString(36)}-${randomBytes(4).toString("hex")}`;
  mkdirSync(join(folder, name), { recursive: true });
  return { name, folder: join(folder, name), descriptor: openSync(join(folder, name), "r") };
}

/** Makes a file whole or not at all: whoever opens it has the old one or the new one. */
function replace(path, text, mode) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text, { mode });
  renameSync(draft, path);
}

/** From now on new programs run from this build. */
export function publish({ name, descriptor }) {
  replace(
    join(folder, "main.js"),
    `#!/usr/bin/env node
import { openSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

// From Node.js 22 on the engine keeps what it compiled, for the next start; where it may not write, it compiles again.
module.enableCompileCache?.(fileURLToPath(new URL("./${name}/compiled/", import.meta.url)));
// Files that a command loads later are those of this build: it stays while a program has its folder open.
openSync(new URL("./${name}/", import.meta.url), "r");
await import("./${name}/main.js");
`,
    0o755,
  );
  replace(join(folder, "build.json"), JSON.stringify({ name }), 0o644);
  // A package holds the newest build alone.
  const others = buildsByTime().filter((each) => each !== name);
  replace(
    join(folder, ".npmignore"),
    ["compiled/\n", ...others.map((each) => `/${each}/\n`)].join(""),
    0o644,
  );
  closeSync(descriptor);
}

/** Newest first; one that another build has removed meanwhile is left out. */
const buildsByTime = () =>
  readdirSync(folder)
    .filter((name) => nameForm.test(name))
    .map((name) => ({ name, at: statSync(join(folder, name), { throwIfNoEntry: false })?.birthtimeMs }))
    .filter(({ at }) => at !== undefined)
    .toSorted((one, other) => other.at - one.at)
    .map(({ name }) => name);

/** Removes builds that no program runs from, but the newest, and what builds of older versions left. */
export function removeOldBuilds() {
  const { name: current } = JSON.parse(readFileSync(join(folder, "build.json"), "utf8"));
  const used = openFolders();
  for (const name of buildsByTime().slice(kept))
    if (name !== current && !used.has(resolve(folder, name)))
      rmSync(join(folder, name), { recursive: true, force: true });
}

/** The folders that processes of this machine have open; where the system does not tell, old builds go by their number. */
function openFolders() {
  const open = new Set();
  for (const process of namesIn("/proc").filter((name) => /^\d+$/.test(name)))
    for (const descriptor of namesIn(`/proc/${process}/fd`)) {
      try {
        open.add(readlinkSync(`/proc/${process}/fd/${descriptor}`));
      } catch {
        // It was closed meanwhile, or belongs to another user.
      }
    }
  return open;
}

function namesIn(path) {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
