import { expect, it } from "vitest";
import type { StatusPage } from "../../../src/core/status-page/status-page.ts";
import { listStatusPages } from "../../../src/actions/status-page/list-status-pages.ts";
import { asPerson } from "../../support/as-person.ts";
import { readHtml } from "../../support/html.ts";
import { served } from "../../support/scene.ts";
import { signedIn } from "../../support/visitor.ts";
import { publish, shownAt, textsOf } from "./publishing.ts";

const shared = served();

it("[OUR-STP-16] an owner publishes, changes, moves and deletes a page in the browser", async () => {
  const { service } = shared;
  const owner = await service.account("pro");
  const [one, two] = [
    await service.server(owner, { name: "Lobby" }),
    await service.server(owner, { name: "Arena" }),
  ];
  const visitor = await signedIn(service, owner);
  const pages = async (): Promise<StatusPage[]> =>
    (await (await asPerson(service, owner))(listStatusPages, {})).data;
  expect((await visitor.get("/servers")).text).toContain('href="/status-pages"');
  expect((await visitor.get("/status-pages")).text).toContain('value="Lobby"');
  expect(await pages()).toEqual([]);
  const fields = {
    title: "Our network",
    shows_players: "on",
    server: [one.id, two.id],
    [`name_${one.id}`]: "Second",
    [`position_${one.id}`]: "2",
    [`name_${two.id}`]: "First",
    [`position_${two.id}`]: "1",
  };
  const refused = await visitor.send("/status-pages", "create", { ...fields, address: "No Address" });
  expect(refused.status).toBe(400);
  for (const kept of ['value="Our network"', 'value="Second"', 'value="No Address"'])
    expect(refused.text).toContain(kept);
  const without = await visitor.send("/status-pages", "create", { title: "Our network" });
  expect(readHtml(without.text).text).toContain("Tick at least one server.");
  const made = await visitor.send("/status-pages", "create", { ...fields, address: "our-network" });
  expect(made.status).toBe(303);
  const path = String(made.headers.location);
  expect(await pages()).toMatchObject([
    { address: "our-network", shows_players: true, servers: [{ name: "First" }, { name: "Second" }] },
  ]);
  const { text } = readHtml(textsOf(await shownAt(service, "our-network")));
  expect(text.indexOf("First")).toBeLessThan(text.indexOf("Second"));
  const shown = await visitor.get(path);
  const url = `${service.app.baseUrl}/status/our-network`;
  const values = readHtml(shown.text)
    .attributes.filter(([name]) => name === "value")
    .map(([, value]) => value);
  for (const image of ["badge.svg", "chart.svg"]) {
    expect(values).toContain(`<a href="${url}"><img src="${url}/${image}" alt="Server status"></a>`);
    expect(values).toContain(`[![Server status](${url}/${image})](${url})`);
  }
  await visitor.send(path, "save", { title: "Renamed", server: one.id, [`name_${one.id}`]: "Only" });
  expect(await pages()).toMatchObject([
    { title: "Renamed", shows_players: false, servers: [{ name: "Only" }] },
  ]);
  await visitor.send(path, "move");
  expect((await pages())[0]?.address).toMatch(/^[2-9a-z]{20}$/);
  expect((await shownAt(service, "our-network")).page.status).toBe(404);
  expect((await visitor.send(path, "delete")).status).toBe(400);
  expect((await visitor.send(path, "delete", { sure: "on" })).headers.location).toBe("/status-pages");
  expect(await pages()).toEqual([]);
});

it("[OUR-STP-16] [OUR-DSH-22] the page of another account is not found, and a plan without monitoring says so, and who changes it", async () => {
  const { service } = shared;
  const owner = await service.account("pro");
  const server = await service.server(owner);
  const { id } = await publish(service, owner, [[server.id, "Lobby"]]);
  const stranger = await signedIn(service, await service.account("free"));
  expect((await stranger.get(`/status-pages/${id}`)).status).toBe(404);
  const pages = await stranger.get("/status-pages");
  expect(readHtml(pages.text).text).toContain(
    "This account is on Free. The feature is part of Pro, Hosting and Enterprise.",
  );
  expect(readHtml(pages.text).text).toContain("Ask the operator of this service to change the plan");
  const admin = await service.account("free", "admin");
  const own = await (await signedIn(service, admin)).get("/status-pages");
  expect(own.text).toContain(`href="/admin/accounts/${admin.id}"`);
});
