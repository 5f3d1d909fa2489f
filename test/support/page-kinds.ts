import { docsPages } from "../../src/dashboard/pages/docs/page.tsx";
import { pages } from "../../src/dashboard/pages/registry.ts";

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, "[^/]+")}$`);

/** The documentation; only the paths are read here, so nothing is in its library. */
const documentation = docsPages(() => ({ references: [], guides: [] }));

/** The path of every page, and of the public status page, which is no page of the dashboard's frame. */
export const pagePaths = [...[...pages, ...documentation].map(({ path }) => path), "/status/{address}"];

/** The page that answers a path: one without placeholders wins, as it does in the router. */
export const pageKindOf = (path: string): string | null =>
  pagePaths
    .filter((kind) => patternOf(kind).test(path))
    .toSorted((a, b) => a.split("{").length - b.split("{").length)[0] ?? null;
