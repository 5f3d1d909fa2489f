import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";

const jvmFolder = "/usr/lib/jvm";

/** The folders of the JDKs on this machine, each once, with their feature version. */
export function installedJdks(): readonly { readonly home: string; readonly version: number }[] {
  const homes = existsSync(jvmFolder)
    ? readdirSync(jvmFolder).map((name) => realpathSync(join(jvmFolder, name)))
    : [];
  return [...new Set(homes)].flatMap((home) => {
    if (!existsSync(join(home, "bin", "javac"))) return [];
    const [, version] = /JAVA_VERSION="(\d+)/.exec(readFileSync(join(home, "release"), "utf8")) ?? [];
    return version === undefined ? [] : [{ home, version: Number(version) }];
  });
}

/** Their folders by their versions, the oldest first. */
export const jdksByVersion = (): ReadonlyMap<string, string> =>
  new Map(
    installedJdks()
      .toSorted((one, other) => one.version - other.version)
      .map(({ home, version }) => [String(version), home]),
  );
