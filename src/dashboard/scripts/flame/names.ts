import { rootMethod, at, mergedMethod, type FrameTree, type Names } from "./frame-tree.ts";

/** The parts of `net.example.Shop.tick(int)`. */
export interface MethodName {
  /** `tick` */
  readonly method: string;
  /** `Shop`; empty for a name without a class. */
  readonly className: string;
  /** `net.example`; empty for a name without a package. */
  readonly packageName: string;
}

/** Native code is named by its library: `libc.so.6`. */
const nativeLibrary = /\.(so(\.\d+)*|dll|dylib)$/;

/** Leaves out parameters. */
export function splitName(name: string): MethodName {
  const open = name.indexOf("(", 1);
  const plain = open > 0 ? name.slice(0, open) : name;
  const dot = nativeLibrary.test(plain) ? -1 : plain.lastIndexOf(".");
  if (dot <= 0 || dot === plain.length - 1) return { method: plain, className: "", packageName: "" };
  const type = plain.slice(0, dot);
  const end = type.lastIndexOf(".");
  return {
    method: plain.slice(dot + 1),
    className: type.slice(end + 1),
    packageName: end > 0 ? type.slice(0, end) : "",
  };
}

export interface FrameWords extends MethodName {
  /** As it was sent. */
  readonly name: string;
  /** Empty for frames without a single method. */
  readonly owner: string;
  readonly isPlugin: boolean;
}

const special = (words: string): FrameWords => ({
  method: words,
  className: "",
  packageName: "",
  name: words,
  owner: "",
  isPlugin: false,
});

/** Made once for each method, because every drawn frame needs them. */
export function frameWordsOf(names: Names): (tree: FrameTree, node: number) => FrameWords {
  const words: (FrameWords | undefined)[] = [];
  const ofMethod = (method: number): FrameWords => {
    const name = names.methods[method] ?? null;
    if (name === null) return special("cut stacks");
    const owner = at(names.ownerOf, method);
    const isPlugin = names.isPlugin[owner] ?? false;
    return { ...splitName(name), name, owner: names.owners[owner] ?? "", isPlugin };
  };
  return (tree, node) => {
    const method = at(tree.method, node);
    if (method === rootMethod) return special("All tick samples");
    if (method === mergedMethod) {
      const count = tree.mergedNodes.get(node);
      return special(count === undefined ? "smaller frames" : `${count} smaller frames`);
    }
    return (words[method] ??= ofMethod(method));
  };
}

/** A share of all tick samples: `12.34 %`. */
export const shareText = (samples: number, { ticks }: Names): string =>
  `${(ticks > 0 ? (100 * samples) / ticks : 0).toFixed(2)} %`;
