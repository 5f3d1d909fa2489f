import { writeFileSync } from "node:fs";
import { manifestPath } from "./catalogue-manifest.ts";
import { ownManifest } from "./own-manifest.ts";

// A step of the build: writes the catalogue of tools that the connector over stdio reads.
writeFileSync(manifestPath, JSON.stringify(ownManifest()));
