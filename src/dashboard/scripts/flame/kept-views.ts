import type { Shows } from "./address.ts";
import type { FrameTree, Names } from "./frame-tree.ts";
import { inverted, sandwich } from "./grow.ts";
import { layoutOf, type Layout } from "./layout.ts";

interface View {
  readonly tree: FrameTree;
  readonly layout: Layout;
}

/** Each view of a large profile takes several MB. */
const mostViews = 8;

/** Keeps the views that were shown last. */
export class KeptViews {
  readonly #calls: FrameTree;
  readonly #names: Names;
  readonly #views = new Map<string, View>();

  constructor(calls: FrameTree, names: Names) {
    this.#calls = calls;
    this.#names = names;
  }

  of(view: Shows["view"], method: string): View {
    const key = `${view} ${method}`;
    const found = this.#views.get(key) ?? this.#made(view, method);
    this.#views.delete(key);
    this.#views.set(key, found);
    const [oldest = key] = this.#views.keys();
    if (this.#views.size > mostViews) this.#views.delete(oldest);
    return found;
  }

  #made(view: Shows["view"], method: string): View {
    const tree = this.#treeFor(view, method);
    return { tree, layout: layoutOf(tree) };
  }

  #treeFor(view: Shows["view"], method: string): FrameTree {
    if (view === "hot") return inverted(this.#calls);
    const index = view === "method" ? this.#names.methods.indexOf(method) : -1;
    return index < 0 ? this.#calls : sandwich(this.#calls, index);
  }
}
