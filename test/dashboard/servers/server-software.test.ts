import { afterAll, beforeAll, expect, it } from "vitest";
import { handClock } from "../../support/clock.ts";
import { startTestService, type Json, type TestService } from "../../support/service.ts";
import { signedIn } from "../../support/visitor.ts";

const clock = handClock();
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: clock.now });
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

/** The section of a server's page about its software, for a server that sent these inventories a minute apart. */
async function section(plan: "free" | "pro", inventories: readonly Json[]): Promise<string | null> {
  const owner = await service.account(plan);
  const server = await service.server(owner, { type: "paper", game_version: "1.21.8" });
  for (const body of inventories) {
    await service.request("PUT", "/plugin/v1/software", { token: server.credential, body });
    clock.advance(60_000);
  }
  const { text } = await (await signedIn(service, owner)).get(`/servers/${server.id}`);
  return /<section class="card" id="software">.*?<\/section>/s.exec(text)?.[0] ?? null;
}

it("[OUR-LIV-18] the page of a server shows what runs there, what changed last first", async () => {
  const plugins = (shop: string) => [
    { name: "Maps", version: "3" },
    { name: "Shop", version: shop },
    { name: "<b>Old</b>", version: null, enabled: false },
  ];
  const java = { version: "21.0.8", flags: ["-Xmx8G"] };
  const shown = await section("pro", [
    { plugins: plugins("1.0"), java, settings: { view_distance: 8 } },
    { plugins: plugins("1.1") },
  ]);
  expect(shown).toMatch(/paper 1\.21\.8.*21\.0\.8.*Changes are seen since.*-Xmx8G.*3 plugins/s);
  expect(shown).toMatch(/Shop.*1\.1.*1 min ago.*Maps.*no change seen/s);
  expect(shown).toContain("&lt;b>Old");
  expect(shown).toMatch(/switched off.*view distance.*8/s);
});

it("[OUR-LIV-18] a long list is cut with its count, and a server that sent none is told what sends it", async () => {
  const mods = Array.from({ length: 230 }, (_, index) => ({ name: `mod${index}`, version: "1" }));
  expect(await section("pro", [{ mods }])).toMatch(/230 mods.*mod199.*and 30 more/s);
  const none = await section("pro", []);
  expect(none).toContain("has sent no list of plugins and settings");
  expect(await section("free", [])).toBeNull();
});
