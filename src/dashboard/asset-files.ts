import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const script = "text/javascript; charset=utf-8";
const style = "text/css; charset=utf-8";

/** The files that pages may refer to, by name. Our own are in `folder`. */
export const assetFiles = (folder: string): Record<string, { path: string; type: string }> => ({
  "style.css": { path: join(folder, "style.css"), type: style },
  "status.css": { path: join(folder, "status.css"), type: style },
  "copy.js": { path: join(folder, "copy.js"), type: script },
  "charts.js": { path: join(folder, "charts.js"), type: script },
  "page.js": { path: join(folder, "page.js"), type: script },
  "mark.svg": { path: join(folder, "mark.svg"), type: "image/svg+xml" },
  "flame.js": { path: join(folder, "flame.js"), type: script },
  "upload.js": { path: join(folder, "upload.js"), type: script },
  "periods.js": { path: join(folder, "periods.js"), type: script },
  "rule-preview.js": { path: join(folder, "rule-preview.js"), type: script },
  "uplot.css": { path: join(uplotFolder(), "uPlot.min.css"), type: style },
  "uplot.js": { path: join(uplotFolder(), "uPlot.esm.js"), type: script },
});

const uplotFolder = (): string => dirname(createRequire(import.meta.url).resolve("uplot/dist/uPlot.esm.js"));
