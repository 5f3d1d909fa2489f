import type { FrameTree } from "../flame/frame-tree.ts";
import type { Layout } from "../flame/layout.ts";
import type { FrameWords } from "../flame/names.ts";
import type { SearchResult } from "../flame/search.ts";

/** What graph and table show. */
export interface Picture {
  readonly tree: FrameTree;
  readonly layout: Layout;
  readonly found: SearchResult | null;
  /** The marked node. */
  readonly current: number;
}

/** What graph and table know about the profile. */
export interface Profile {
  readonly words: (tree: FrameTree, node: number) => FrameWords;
  readonly share: (samples: number) => string;
  /** In the present theme. */
  readonly fill: (tree: FrameTree, node: number, isDim: boolean) => string;
}
