import { writeFileSync } from "node:fs";
import { documentsFile, makeApiDocuments } from "../app/api-documents.ts";
import { builtFile } from "../program/program-files.ts";
import { manifestPath } from "./catalogue-manifest.ts";
import { ownManifest } from "./own-manifest.ts";

// A step of the build: writes the catalogue of tools that the connector over stdio reads, and the documents that the
// pages of the documentation are made of.
writeFileSync(builtFile(documentsFile), JSON.stringify(makeApiDocuments()));
writeFileSync(manifestPath, JSON.stringify(ownManifest()));
