import type { FrameTree } from "../flame/frame-tree.ts";
import type { Layout } from "../flame/layout.ts";
import type { FrameWords } from "../flame/names.ts";
import type { SearchResult } from "../flame/search.ts";

/** What graph and table show. */
export interface Picture {
  readonly tree: FrameTree;
  readonly layout: Layout;
  readonly found: SearchResult | null;
  /** The node that is marked. */
  readonly current: number;
}

/** What graph and table know of the profile. */
export interface Profile {
  readonly words: (tree: FrameTree, node: number) => FrameWords;
  readonly share: (samples: number) => string;
  /** The fill of a frame in the present theme. */
  readonly fill: (tree: FrameTree, node: number, isDim: boolean) => string;
}
