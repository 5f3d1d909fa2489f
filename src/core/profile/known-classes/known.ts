import type { Category } from "../category.ts";

/**
 * Which kind of work a class or method does, by how its full name begins; the longest prefix counts. `given` is said
 * of code that runs what it is handed (`ArrayList.forEach`): it tells nothing of the kind, so its caller is asked.
 */
export type KnownClasses = readonly (readonly [prefix: string, kind: Category | "given"])[];
