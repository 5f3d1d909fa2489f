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

/** What the address is the first and the second time, and how often the service was asked for it. */
async function twice(url: string, ...answers: (Answered | Refused)[]): Promise<unknown[]> {
  const asked: string[] = [];
  const baseUrl = publicBaseUrl(url, async (path) => {
    asked.push(path);
    return answers[asked.length - 1] ?? refused(500);
  });
  return [await baseUrl(), await baseUrl(), asked.length];
}

it("[OUR-MCP-77] over stdio the service itself tells, once, where people reach it", async () => {
  const told = metadata("https://tickmark.example/mcp");
  expect(await twice(called, told)).toEqual(["https://tickmark.example", "https://tickmark.example", 1]);
});

it("[OUR-MCP-77] as long as the service is away it is asked again, and the address called stands", async () => {
  const told = metadata("https://tickmark.example/mcp");
  expect(await twice(`${called}/`, refused(503), told)).toEqual([called, "https://tickmark.example", 2]);
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

it("[OUR-MCP-77] behind a path of a proxy nobody is asked", async () => {
  const behind = "https://play.example/tickmark";
  expect(await twice(`${behind}/`)).toEqual([behind, behind, 0]);
});
