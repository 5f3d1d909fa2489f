import { describedFaces } from "./faces.ts";
import { builtJson } from "../program/program-files.ts";
import { openApiDocument } from "../rest/openapi/document.ts";

/** A file of the build with the OpenAPI documents, by the name of their page. */
export const documentsFile = "api-documents.json";

type Documents = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Takes 0.3 s. */
export const makeApiDocuments = (): Documents =>
  Object.fromEntries(
    describedFaces.map(([name, { prefix, endpoints }, words]) => [
      name,
      openApiDocument({ ...words, serverUrl: prefix }, endpoints),
    ]),
  );

/** The build's documents; sources make their own, which are never out of date. */
export const apiDocuments = (): Documents =>
  (builtJson(documentsFile) as Documents | null) ?? makeApiDocuments();
