import { readdirSync } from "node:fs";
import { request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { headBytes, heaviest } from "../../support/page-checks.ts";
import { startTestService, type TestService } from "../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** What the header of a person who is signed in adds: its links, counts and addresses. */
const signedIn = 250;

/** The bytes of an answer as they were sent. */
const sentBytes = (path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    request(
      {
        host: "127.0.0.1",
        port: service.port,
        path,
        headers: { "accept-encoding": "br", accept: "text/html" },
      },
      (answer) => {
        let bytes = 0;
        answer.on("data", (chunk: Buffer) => (bytes += chunk.length));
        answer.on("end", () => (answer.statusCode === 200 ? resolve(bytes) : reject(new Error(path))));
      },
    )
      .on("error", reject)
      .end();
  });

const textOf = async (path: string): Promise<string> => (await service.request("GET", path)).text;

it("[OUR-DSH-19] every page of the documentation is below its limit with all that it loads", async () => {
  const paths = [
    "/docs",
    ...readdirSync("resources/guides")
      .filter((file) => file !== "README.md")
      .map((file) => `/docs/guides/${file.slice(0, -3)}`),
  ];
  for (const name of ["api", "plugin", "runner"]) {
    const index = await textOf(`/docs/${name}`);
    const resources = [...index.matchAll(/href="(\/docs\/\w+\/[^"#]+)/g)].map((match) => match[1] ?? "");
    paths.push(`/docs/${name}`, ...new Set(resources));
  }
  const heavy: string[] = [];
  const sizes = new Map<string, number>();
  for (const path of paths) {
    const assets = [...(await textOf(path)).matchAll(/"(\/assets\/[^"]+\.(?:css|js))"/g)].map(
      (match) => match[1] ?? "",
    );
    for (const asset of assets) if (!sizes.has(asset)) sizes.set(asset, headBytes + (await sentBytes(asset)));
    const bytes =
      headBytes + (await sentBytes(path)) + assets.reduce((sum, each) => sum + (sizes.get(each) ?? 0), 0);
    if (bytes + signedIn > heaviest(path)) heavy.push(`${path}: ${bytes} bytes`);
  }
  expect(paths.length).toBeGreaterThan(30);
  expect(heavy).toEqual([]);
});
