import { readdirSync } from "node:fs";
import { extname, join } from "node:path";

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** By name: the files of the build's folder that pages may refer to. Each has a compressed form. */
export const assetFiles = (built: string): Record<string, { path: string; type: string }> =>
  Object.fromEntries(
    filesIn(built).flatMap((name) => {
      const type = types[extname(name)];
      return type === undefined ? [] : [[name, { path: join(built, name), type }]];
    }),
  );

function filesIn(built: string): string[] {
  try {
    return readdirSync(built);
  } catch (error) {
    throw new Error("The dashboard's scripts are not built. Run `npm run build`.", { cause: error });
  }
}
