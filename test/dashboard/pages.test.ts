import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

it("serves its style sheet under an address that changes with it", async () => {
  const gone = await service.request("GET", "/assets/000000000000/style.css");
  expect(gone.status).toBe(404);
});

it("[OUR-DSH-05] answers an unknown path with a page for browsers, and with JSON for programs", async () => {
  const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  const shown = await service.request("GET", "/no/such/page?x=1", { headers: html });
  expect(shown.status).toBe(404);
  expect(shown.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(shown.text).toContain("<h1>Page not found</h1>");
  for (const [path, headers] of [
    ["/no/such/page", {}],
    ["/api/v1/nothing", html],
    ["/plugin/v1/nothing", html],
    ["/mcp/nothing", html],
  ] as const) {
    const told = await service.request("GET", path, { headers });
    expect([path, told.status, told.json["error"]]).toEqual([path, 404, "not_found"]);
  }
  const sent = await service.request("POST", "/no/such/page", { headers: html });
  expect([sent.status, sent.json["error"]]).toEqual([404, "not_found"]);
});
