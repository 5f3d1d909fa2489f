import { writeFileSync } from "node:fs";
import { documentsFile, makeApiDocuments } from "../app/api-documents.ts";
import { builtFile } from "../program/program-files.ts";
import { manifestPath } from "./catalogue-manifest.ts";
import { ownManifest } from "./own-manifest.ts";

// A build step: writes the stdio connector's tool catalogue, and the documents of the documentation pages.
writeFileSync(builtFile(documentsFile), JSON.stringify(makeApiDocuments()));
writeFileSync(manifestPath, JSON.stringify(ownManifest()));
