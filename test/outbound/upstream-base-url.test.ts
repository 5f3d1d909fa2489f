import { expect, it } from "vitest";
import type { Answered, Refused } from "../../src/contract/call/backend.ts";
import { publicBaseUrl } from "../../src/outbound/upstream-base-url.ts";

const frame = { windows: null, counted: false } as const;
const metadata = (resource: unknown): Answered => ({ ok: true, status: 200, value: { resource }, ...frame });
const refused = (status: number): Refused => ({
  ok: false,
  status,
  body: { error: "any", message: "Any." },
  retryAfterSeconds: null,
  credential: false,
  ...frame,
});

const called = "http://10.0.0.7:8080";

/** The address of the first and the second call, and the number of requests for it. */
async function twice(url: string, ...answers: (Answered | Refused)[]): Promise<unknown[]> {
  const paths: string[] = [];
  const baseUrl = publicBaseUrl(url, async (path) => {
    paths.push(path);
    return answers[paths.length - 1] ?? refused(500);
  });
  return [await baseUrl(), await baseUrl(), paths.length];
}

it("[OUR-MCP-77] over stdio the service itself tells, once, where people reach it", async () => {
  const answer = metadata("https://tickmark.example/mcp");
  expect(await twice(called, answer)).toEqual(["https://tickmark.example", "https://tickmark.example", 1]);
});

it("[OUR-MCP-77] as long as the service is away each call requests it again, and the configured address is used", async () => {
  const answer = metadata("https://tickmark.example/mcp");
  expect(await twice(`${called}/`, refused(503), answer)).toEqual([called, "https://tickmark.example", 2]);
});

it("[OUR-MCP-77] a service that does not tell, or tells anything else, is where it is called", async () => {
  expect(await twice(called, refused(404))).toEqual([called, called, 1]);
  for (const resource of [
    7,
    "",
    "/mcp",
    "javascript:alert(1)//mcp",
    "https://tickmark.example/mcp?x",
    "https://eve:secret@tickmark.example/mcp",
    "https://tickmark.example/other/mcp",
  ])
    expect(await twice(called, metadata(resource)), String(resource)).toEqual([called, called, 1]);
});

it("[OUR-MCP-77] behind a path of a proxy no request is made", async () => {
  const behind = "https://play.example/tickmark";
  expect(await twice(`${behind}/`)).toEqual([behind, behind, 0]);
});
