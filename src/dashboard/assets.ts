import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  /** Compressed by Brotli at its best quality, by the build. */
  readonly smallest: Buffer;
}

export interface Assets {
  /** Throws for an unknown name, because a page that links to a missing asset is a defect. */
  addressOf(name: string): string;
  at(version: string, name: string): Asset | null;
}

/** The length of the version in asset addresses, hexadecimal digits. */
const versionLength = 12;

/**
 * The addresses of all files share a folder that changes with any of them, so browsers may cache them for
 * ever, and scripts can import one another by name.
 */
export function assets(files: Readonly<Record<string, { path: string; type: string }>>): Assets {
  const known = new Map<string, Asset>();
  const hash = createHash("sha256");
  for (const [name, { path, type }] of Object.entries(files)) {
    const bytes = readFileSync(path);
    hash.update(name).update(bytes);
    known.set(name, { type, bytes, smallest: readFileSync(`${path}.br`) });
  }
  const current = hash.digest("hex").slice(0, versionLength);
  return {
    addressOf: (name) => {
      if (!known.has(name)) throw new Error(`There is no asset ${name}.`);
      return `/assets/${current}/${name}`;
    },
    at: (version, name) => (version === current ? (known.get(name) ?? null) : null),
  };
}
