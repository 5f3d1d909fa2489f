import { replacePassword } from "../../../src/services/access/replace-password.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashPassword } from "../../../src/app/access/passwords.ts";
import { listServerGroups } from "../../../src/endpoints/api/server/list-server-groups.ts";
import { getServerSettings } from "../../../src/actions/server/get-server-settings.ts";
import { asPerson } from "../../support/as-person.ts";
import { roomyPlans, startTestService, type TestService } from "../../support/service.ts";
import { signedIn } from "../../support/visitor.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans });
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const scene = async (name = "Lobby") => {
  const owner = await service.account();
  const server = await service.server(owner, { name });
  const visitor = await signedIn(service, owner);
  const ask = await asPerson(service, owner);
  const settings = () => ask(getServerSettings, { server_id: server.id });
  return { owner, server, visitor, ask, settings, page: `/servers/${server.id}/settings` };
};

describe("the settings of a server", () => {
  it("[OUR-OWN-06] are saved part by part", async () => {
    const { visitor, page, settings, ask } = await scene();
    expect((await visitor.get(page)).text).toContain("Measurements are accepted");
    const saved = [
      await visitor.send(page, "general", { name: "Survival", is_public: "on" }),
      await visitor.send(page, "address", { address: "play.example.org", port: "25570" }),
      await visitor.send(page, "new-group", { name: "Mine" }),
      await visitor.send(page, "monitoring", { enabled: "false" }),
    ];
    expect(saved.map(({ status, headers }) => [status, headers.location])).toEqual(
      saved.map(() => [303, page]),
    );
    const [group] = (await ask(listServerGroups, {})).data;
    expect(await settings()).toMatchObject({
      address: "play.example.org",
      port: 25_570,
      site_step: "off",
      server: { name: "Survival", is_public: true, notify_on_report: false, group_id: group?.id },
    });
    await visitor.send(page, "group", { group_id: "" });
    expect((await settings()).server.group_id).toBeNull();
    const refused = await visitor.send(page, "address", { address: "play.example.org", port: "70000" });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('value="70000"');
  });

  it("[OUR-OWN-06] unlink and delete nothing without the ticked box, and lead to the fleet with it", async () => {
    for (const action of ["unlink", "delete"]) {
      const { visitor, page } = await scene();
      const careless = await visitor.send(page, action);
      expect(careless.status).toBe(400);
      expect(careless.text).toContain("Tick the box");
      const sure = await visitor.send(page, action, { sure: "on" });
      expect([sure.status, sure.headers.location]).toEqual([303, "/servers"]);
      expect((await visitor.get(page)).status).toBe(404);
    }
  });

  it("[OUR-OWN-06] [OUR-LEA-12] relink with a code as people type it; a wrong one is explained beside its form", async () => {
    const owner = await service.account();
    const visitor = await signedIn(service, owner);
    const id = "7f1c0c52-8a39-4c5e-9d5b-00000000abcd";
    const first = await service.linkCode({ name: "Lobby" }, id);
    const linked = await service.request("POST", "/api/v1/servers/link", {
      token: await service.token(owner),
      body: { code: first.code },
    });
    const page = `/servers/${String(linked.json["id"])}/settings`;
    const wrong = await visitor.send(page, "relink", { code: "ZZZZZZZZ" });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain("This code is not known");
    const { code } = await service.linkCode({ name: "Lobby" }, id);
    const typed = `${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`;
    expect((await visitor.send(page, "relink", { code: typed })).status).toBe(303);
    const taker = await signedIn(service, await service.account());
    const again = await service.linkCode({ name: "Lobby" }, id);
    const taken = await taker.send("/servers/relink", "relink", { code: again.code, name: "Taken" });
    expect(taken.status).toBe(303);
    expect((await taker.get(String(taken.headers.location))).text).toContain("Taken");
    expect((await visitor.get(page)).status).toBe(404);
  });

  it("[OUR-OWN-06] show names as text, and nobody else's server", async () => {
    const { page, visitor } = await scene('<img src=x onerror="alert(1)">');
    const { text } = await visitor.get(page);
    expect(text).not.toContain("<img");
    expect((await (await signedIn(service, await service.account())).get(page)).status).toBe(404);
  });
});

it("[OUR-OWN-07] groups are made, renamed, coloured, put in order and deleted on their page", async () => {
  const { visitor, ask } = await scene();
  expect((await visitor.get("/groups")).text).toContain("No groups yet");
  await visitor.send("/groups", "create", { name: "Survival", color: "green" });
  const groups = async () => (await ask(listServerGroups, {})).data;
  const [made] = await groups();
  expect(made).toMatchObject({ name: "Survival", color: "green" });
  const group_id = made?.id ?? "";
  const fields = { group_id, name: "Creative", color: "", sort_order: "7" };
  expect((await visitor.send("/groups", "save", fields)).status).toBe(303);
  expect((await groups())[0]).toMatchObject({ name: "Creative", color: null, sort_order: 7 });
  const refused = await visitor.send("/groups", "save", { ...fields, sort_order: "99999" });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('value="99999"');
  expect((await visitor.send("/groups", "delete", { group_id })).status).toBe(400);
  expect((await visitor.send("/groups", "delete", { group_id, sure: "on" })).status).toBe(303);
  expect(await groups()).toEqual([]);
});

it("[OUR-LEA-16] [OUR-LEA-17] the account is deleted on its page with its password, and not the last admin's", async () => {
  const page = "/settings/delete-account";
  const password = "correct horse battery";
  for (const role of ["user", "admin"] as const) {
    const account = await service.account("free", role);
    await service.app.db.write(replacePassword, account.id, await hashPassword(password), null);
    const visitor = await signedIn(service, account);
    const wrong = await visitor.send(page, "delete", { password: "wrong" });
    expect(wrong.text).toContain("The password is wrong, and nothing was changed.");
    const sent = await visitor.send(page, "delete", { password });
    expect(sent.status).toBe(role === "user" ? 303 : 409);
    if (role === "admin") expect(sent.text).toContain("last admin");
    expect((await visitor.get(page)).status).toBe(role === "user" ? 303 : 200);
  }
});
