import { at, mergedMethod, type FrameTree, type Names } from "./frame-tree.ts";

/** Samples that ended in an owner's methods. */
export interface OwnerSamples {
  readonly owner: number;
  readonly samples: number;
}

/** Heaviest first. */
export function samplesByOwner(tree: FrameTree, names: Names): OwnerSamples[] {
  const samples = new Float64Array(names.owners.length);
  for (let node = 1; node < tree.size; node += 1) {
    const method = at(tree.method, node);
    if (method === mergedMethod || names.methods[method] === null) continue;
    const owner = at(names.ownerOf, method);
    samples[owner] = at(samples, owner) + at(tree.self, node);
  }
  return Array.from(samples, (samples, owner) => ({ owner, samples })).sort(
    (one, other) => other.samples - one.samples || one.owner - other.owner,
  );
}

/** Hues that differ well beside one another, degrees. Plugins get them by their share. */
export const hues = [205, 35, 150, 265, 340, 95, 15, 180] as const;

/** One of `hues`, `plugin` for further plugins, or a grey. */
export type OwnerColor = number | "plugin" | "server" | "java";

/** By owner. */
export function ownerColors(shares: readonly OwnerSamples[], names: Names): OwnerColor[] {
  const colors = names.owners.map((name, owner): OwnerColor => {
    if (names.isPlugin[owner]) return "plugin";
    return name === "server" ? "server" : "java";
  });
  const plugins = shares.filter(({ owner }) => names.isPlugin[owner]);
  plugins.slice(0, hues.length).forEach(({ owner }, index) => {
    colors[owner] = hues[index] ?? "plugin";
  });
  return colors;
}

/** For canvas and CSS. `dim`: a search did not find the frame. */
export function fillOf(color: OwnerColor, isDark: boolean, isDim: boolean): string {
  if (color === "server" || color === "java") {
    const light = color === "server" ? 90 : 85;
    const dark = color === "server" ? 20 : 25;
    return `hsl(185 8% ${isDark ? dark - (isDim ? 6 : 0) : light + (isDim ? 6 : 0)}%)`;
  }
  const [hue, strength] = color === "plugin" ? [185, 0.5] : [color, 1];
  if (isDim) return isDark ? `hsl(${hue} ${14 * strength}% 17%)` : `hsl(${hue} ${30 * strength}% 95%)`;
  return isDark ? `hsl(${hue} ${34 * strength}% 32%)` : `hsl(${hue} ${58 * strength}% 81%)`;
}
