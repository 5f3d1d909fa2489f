import { expect, it } from "vitest";
import { apiEndpoints } from "../../src/endpoints/api/registry.ts";
import { agentEndpoints } from "../../src/endpoints/agent/registry.ts";
import { pluginEndpoints } from "../../src/endpoints/plugin/registry.ts";
import { openApiDocument } from "../../src/rest/openapi/document.ts";
import { documentLines } from "../support/document-lines.ts";

/**
 * The document is read by programs at each build, and by models that are pointed at it: so much for the documented
 * endpoints, and 8,000 bytes for each one beside them.
 */
const mostBytes = 220_000 + 8000 * apiEndpoints.filter(({ isAddition }) => isAddition).length;

const info = {
  title: "Tickmark API",
  description: "d",
  version: "1.0.0",
  serverUrl: "https://tickmark.example/api/v1",
};

it("[VER-01] [OUR-HTTP-30] the document of the API is OpenAPI 3.1 and changes only by review", async () => {
  const document = openApiDocument(info, apiEndpoints);
  expect(document["openapi"]).toBe("3.1.0");
  const bytes = Buffer.byteLength(JSON.stringify(document));
  console.log(`the document of the API: ${bytes} bytes`);
  expect(bytes).toBeLessThanOrEqual(mostBytes);
  await expect(documentLines(document)).toMatchFileSnapshot("../surface/openapi.json");
});

it("the document of the plugin API changes only by review", async () => {
  const document = openApiDocument(
    { ...info, title: "Tickmark plugin API", serverUrl: "https://tickmark.example/plugin/v1" },
    pluginEndpoints,
  );
  await expect(documentLines(document)).toMatchFileSnapshot("../surface/plugin-openapi.json");
});

it("[OUR-AUT-20] the document of the runner API changes only by review", async () => {
  const document = openApiDocument(
    { ...info, title: "Tickmark runner API", serverUrl: "https://tickmark.example/agent/v1" },
    agentEndpoints,
  );
  await expect(documentLines(document)).toMatchFileSnapshot("../surface/agent-openapi.json");
});
