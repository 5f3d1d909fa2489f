import { prefixTable } from "../class-prefix.ts";
import type { Category } from "./category.ts";
import { withoutParameters } from "./frame-name.ts";
import { gameClasses } from "./known-classes/game.ts";
import { javaClasses } from "./known-classes/java.ts";

const kindOf = prefixTable([...gameClasses, ...javaClasses]);

/** Bukkit's packages carried the game's version until 1.20.4. */
const versionedPackage = /\.v\d_\d{1,2}_R\d{1,2}(?=\.)/;

/** Methods of collections that run a given function: their work can be of any kind. */
const givenTo = new Set([
  "compute",
  "computeIfAbsent",
  "computeIfPresent",
  "fastForEach",
  "forEach",
  "forEachEntry",
  "forEachRemaining",
  "forEachValue",
  "merge",
  "removeIf",
  "replaceAll",
  "tryAdvance",
]);

/** For `net.example.Shop.tick`; null for unknown code and for code that runs a given function. */
export function categoryOf(frame: string): Category | null {
  const name = withoutParameters(frame).replace(versionedPackage, "");
  const kind = kindOf(name);
  const isGiven = kind === "collections" && givenTo.has(name.slice(name.lastIndexOf(".") + 1));
  return kind === "given" || isGiven ? null : kind;
}
