import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService, type TestService } from "../../support/service.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";
import { textOf } from "../alerts/alerting.ts";

let service: TestService;
let person: Visitor;
let timeline: string;

beforeAll(async () => {
  service = await startTestService();
  const owner = await service.account("pro");
  person = await signedIn(service, owner);
  timeline = `/servers/${(await service.server(owner)).id}/timeline`;
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const shown = async (query: string): Promise<string> => {
  const { status, text } = await person.get(timeline + query);
  expect(status).toBe(200);
  return textOf(text);
};

it("[OUR-MCP-90] an empty timeline says whether a category or nothing in the plan's days made it empty", async () => {
  const ofPlan = "The plan shows the last 30 days. What happened before is not shown.";
  const whole = await shown("");
  expect(whole).toContain("No event in the last 30 days");
  expect(whole).toContain(ofPlan);
  const filtered = await shown("?category=moderation");
  expect(filtered).toContain("No event matches");
  expect(filtered).toContain(ofPlan);
  expect(filtered).not.toContain("No event in the last");
});
