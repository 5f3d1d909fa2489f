import { describedFaces } from "./faces.ts";
import { builtJson } from "../program/program-files.ts";
import { openApiDocument } from "../rest/openapi/document.ts";

/** The file of the build with the OpenAPI documents that the documentation shows, by the name of their page. */
export const documentsFile = "api-documents.json";

type Documents = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Makes them, which takes 0.3 s. */
export const makeApiDocuments = (): Documents =>
  Object.fromEntries(
    describedFaces.map(([name, { prefix, endpoints }, words]) => [
      name,
      openApiDocument({ ...words, serverUrl: prefix }, endpoints),
    ]),
  );

/** Those that the build made; sources make their own, which are never out of date. */
export const apiDocuments = (): Documents =>
  (builtJson(documentsFile) as Documents | null) ?? makeApiDocuments();
