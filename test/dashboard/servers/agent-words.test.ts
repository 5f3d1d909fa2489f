import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentVersion } from "../../../src/cli/agent-state.ts";
import { readHtml } from "../../support/html.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";

let service: TestService;
let person: Visitor;
let token: string;
beforeAll(async () => {
  service = await startTestService();
  const owner = await service.account("pro");
  person = await signedIn(service, owner);
  token = await service.token(owner);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

/** A server linked by whatever tells this version, and the credential it was given. */
async function linkedBy(version: string, installation: string): Promise<{ id: string; credential: string }> {
  const asked = await service.request("POST", "/plugin/v1/link-codes", {
    body: { installation_id: installation, server: { name: "Lobby", plugin_version: version } },
  });
  const linked = await service.request("POST", "/api/v1/servers/link", {
    token,
    body: { code: asked.json["code"] },
  });
  const claimed = await service.request("POST", "/plugin/v1/link-codes/claim", {
    body: { claim_secret: asked.json["claim_secret"] },
  });
  return { id: String(linked.json["id"]), credential: String(claimed.json["auth_token"]) };
}

const pages = ["", "/profiles", "/memory-reports", "/settings"] as const;

async function wordsOf(id: string): Promise<string[]> {
  const texts: string[] = [];
  for (const page of pages) {
    const { status, text } = await person.get(`/servers/${id}${page}`);
    expect(status).toBe(200);
    texts.push(readHtml(text).text.replaceAll(/\s+/g, " "));
  }
  return texts;
}

/** Phrases about the plugin that links a server; other sentences are about plugins inside the server. */
const ofPlugin =
  /\b(?:the|its) plugin (?:was|is|waits|sends|uploads|verifies|gets)|Plugin never|(?:from|of) the plugin|\/bench link/i;

describe("pages of a linked server", () => {
  it("[OUR-LIV-17] speak of the agent where the agent linked it", async () => {
    const { id, credential } = await linkedBy(agentVersion, "0a1b2c3d-0000-4000-8000-000000000001");
    const [now = "", profiles = "", memory = "", settings = ""] = await wordsOf(id);
    for (const text of [now, profiles, memory, settings]) expect(text).not.toMatch(ofPlugin);
    expect(now).toContain(
      "No heartbeat of the agent came yet. Check that the agent runs (tickmark agent run)",
    );
    expect(profiles).toContain("requests a profile from the agent");
    expect(memory).toContain("requests a class histogram from the agent");
    expect(settings).toContain("tickmark agent link");
    await service.request("POST", "/plugin/v1/heartbeat", {
      token: credential,
      body: { sent_at: new Date().toISOString(), plugin_version: agentVersion, last_tick_age_ms: 20_000 },
    });
    const [heard = ""] = await wordsOf(id);
    expect(heard).toContain("Heartbeats of the agent are received.");
    expect(heard).toContain("The agent sends heartbeats");
    expect(heard).not.toMatch(ofPlugin);
  });

  it("[OUR-LIV-17] speak of the plugin where a plugin linked it", async () => {
    const { id } = await linkedBy("1.10.2", "0a1b2c3d-0000-4000-8000-000000000002");
    const [now = "", profiles = "", , settings = ""] = await wordsOf(id);
    expect(now).toContain("No heartbeat of the plugin came yet. Check that the plugin is installed");
    expect(profiles).toContain("requests a profile from the plugin");
    expect(settings).toContain("/bench link");
    for (const text of [now, profiles, settings]) expect(text).not.toMatch(/\b(?:the|its) agent\b/i);
  });
});
