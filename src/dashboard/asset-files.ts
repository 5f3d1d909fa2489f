import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

/**
 * The files that pages may refer to, by name. `folder` has our own as they are; `built` has those that the build makes:
 * the style sheet, the scripts and what these share.
 */
export const assetFiles = (
  folder: string,
  built: string,
): Record<string, { path: string; type: string }> => ({
  "mark.svg": { path: join(folder, "mark.svg"), type: "image/svg+xml" },
  "uplot.css": { path: join(uplotFolder(), "uPlot.min.css"), type: types[".css"] ?? "" },
  ...Object.fromEntries(
    filesIn(built).flatMap((name) => {
      const type = types[extname(name)];
      return type === undefined ? [] : [[name, { path: join(built, name), type }]];
    }),
  ),
});

const uplotFolder = (): string => dirname(createRequire(import.meta.url).resolve("uplot/dist/uPlot.esm.js"));

function filesIn(built: string): string[] {
  try {
    return readdirSync(built);
  } catch (error) {
    throw new Error("The dashboard's scripts are not built. Run `npm run build`.", { cause: error });
  }
}
