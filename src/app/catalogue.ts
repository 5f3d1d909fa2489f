import { join } from "node:path";
import { apiDocuments } from "./api-documents.ts";
import { describedFaces } from "./faces.ts";
import { loadGuides, type WrittenGuide } from "../mcp/catalogue/guides.ts";
import { withoutReferences, type Library } from "../dashboard/pages/docs/library.ts";
import type { Catalogue } from "../mcp/catalogue/catalogue.ts";
import { projectFolder } from "../program/program-files.ts";
import { prompts } from "../../resources/prompts/registry.ts";
import { resources } from "../../resources/registry.ts";
import { tools } from "../../tools/registry.ts";
import { wording } from "../../tools/wording.ts";

export const library = (): Library => {
  const documents = apiDocuments();
  return {
    references: describedFaces.map(([name, { prefix }]) => ({
      name,
      prefix,
      document: withoutReferences(documents[name] ?? {}),
    })),
    guides: guides().map(({ content: { text }, definition: { name, title } }) => ({ name, title, text })),
  };
};

export const ownCatalogue = (): Catalogue => ({ tools, resources, prompts, guides: guides(), wording });

let loaded: readonly WrittenGuide[] | null = null;
const guides = () => (loaded ??= loadGuides(join(projectFolder, "resources", "guides")));

/** Markdown. Throws for an unknown guide. */
export function guideText(name: string): string {
  const found = guides().find(({ definition }) => definition.name === name);
  if (!found) throw new Error(`There is no guide ${name}.`);
  return found.content.text;
}
