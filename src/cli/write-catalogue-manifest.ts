import { writeManifestTo } from "./write-manifest.ts";
import { manifestPath } from "./catalogue-manifest.ts";

writeManifestTo(manifestPath);
