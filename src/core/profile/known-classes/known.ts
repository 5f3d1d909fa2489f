import type { Category } from "../category.ts";

/**
 * Kinds of work by the beginning of a full name; the longest prefix counts. `given` is code that runs a given
 * function (`ArrayList.forEach`): its kind is that of its caller.
 */
export type KnownClasses = readonly (readonly [prefix: string, kind: Category | "given"])[];
