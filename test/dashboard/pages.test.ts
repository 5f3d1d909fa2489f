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
