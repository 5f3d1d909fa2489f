import { at, mergedMethod, type FrameTree, type Names } from "../flame/frame-tree.ts";
import { isDark } from "../look/theme.ts";
import { fillOf, hues, ownerColors, samplesByOwner, type OwnerColor } from "../flame/owner-colors.ts";

export interface LegendEntry {
  readonly name: string;
  /** Samples that ended in it. */
  readonly samples: number;
  readonly fill: () => string;
  /** The search text for this entry; null if it is not a single owner. */
  readonly find: string | null;
}

/** Fills for the present theme, and the legend to them. */
export function ownerPaints(calls: FrameTree, names: Names) {
  const shares = samplesByOwner(calls, names);
  const colors = ownerColors(shares, names);
  const made = new Map<string, string>();
  const paint = (color: OwnerColor, isDim: boolean): string => {
    const key = `${color} ${isDark()} ${isDim}`;
    const fill = made.get(key) ?? fillOf(color, isDark(), isDim);
    made.set(key, fill);
    return fill;
  };
  const fill = (tree: FrameTree, node: number, isDim: boolean): string => {
    const method = at(tree.method, node);
    const isNone = method < 0 || (method === mergedMethod && names.methods[method] === null);
    return paint(isNone ? "server" : (colors[at(names.ownerOf, method)] ?? "server"), isDim);
  };
  const plugins = shares.filter(({ owner }) => names.isPlugin[owner]);
  const entry = (owner: number, samples: number): LegendEntry => {
    const name = names.owners[owner] ?? "";
    return { name, samples, fill: () => paint(colors[owner] ?? "server", false), find: name };
  };
  const rest = plugins.slice(hues.length);
  const sum = (list: typeof shares) => list.reduce((samples, share) => samples + share.samples, 0);
  const others = shares.filter(({ owner }) => !names.isPlugin[owner]);
  const isGame = ({ owner }: { owner: number }) => names.owners[owner] === "server";
  const group = (name: string, list: typeof shares, color: OwnerColor): LegendEntry[] =>
    list.length === 0 ? [] : [{ name, samples: sum(list), fill: () => paint(color, false), find: null }];
  const legend = [
    ...plugins.slice(0, hues.length).map(({ owner, samples }) => entry(owner, samples)),
    ...group(rest.length === 1 ? "1 other plugin" : `${rest.length} other plugins`, rest, "plugin"),
    ...group("the game and its software", others.filter(isGame), "server"),
    ...group(
      "Java and libraries",
      others.filter((share) => !isGame(share)),
      "java",
    ),
  ];
  return { fill, legend };
}
