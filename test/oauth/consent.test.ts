import { countActiveConnectors } from "../../src/store/access/connectors.ts";
import { changePlan } from "../../src/services/access/change-plan.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readScopes, scopes } from "../../src/core/access/scope.ts";
import { minuteMs } from "../../src/core/time.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { signedIn, visitor as stranger } from "../support/visitor.ts";
import { callTool, program, tokensIn } from "./program.ts";

const clock = { ahead: 0 };
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: () => Date.now() + clock.ahead, plans: { free: { tokens: 1 } } });
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const active = (accountId: string): Promise<number> =>
  service.app.db.read(countActiveConnectors, accountId, service.app.clock());

it("[OUR-OAU-13] a person who is not signed in does so first, and comes back", async () => {
  const one = await program(service, await service.account());
  const { location } = await one.authorize();
  const { status, headers } = await stranger(service).get(location);
  expect(status).toBe(303);
  expect(headers.location).toBe(`/sign-in?${new URLSearchParams({ to: location })}`);
});

it("[OUR-OAU-13] another browser than the one that asked has nothing to answer", async () => {
  const account = await service.account();
  const one = await program(service, account);
  const { location } = await one.authorize();
  const other = await signedIn(service, account);
  expect((await other.get(location)).status).toBe(404);
  // Not with a request of its own either, whose form is good.
  const own = await one.authorize();
  const page = await own.visitor.get(own.location);
  const token = /name="_csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? "";
  const cookie = [...own.visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const sent = await service.request("POST", location, {
    headers: { cookie, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ _csrf: token, do: "allow", scope: "reports:read" }).toString(),
  });
  expect(sent.status).toBe(404);
  expect(await active(account.id)).toBe(0);
});

it("[OUR-OAU-13] a form without the service's token, or from another site, grants nothing", async () => {
  const account = await service.account();
  const one = await program(service, account);
  const { visitor, location } = await one.authorize();
  const page = await visitor.get(location);
  const token = /name="_csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? "";
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const attempts = [
    { headers: {}, fields: { _csrf: "" } },
    { headers: {}, fields: { _csrf: "forged" } },
    { headers: { origin: "https://evil.example" }, fields: { _csrf: token } },
    { headers: { cookie: "" }, fields: { _csrf: token } },
  ];
  for (const { headers, fields } of attempts) {
    const { status } = await service.request("POST", location, {
      headers: { cookie, "content-type": "application/x-www-form-urlencoded", ...headers },
      body: new URLSearchParams({ do: "allow", scope: "reports:read", ...fields }).toString(),
    });
    expect([303, 403]).toContain(status);
    expect(await active(account.id)).toBe(0);
  }
  console.log(`forged consents: ${attempts.length}, grants made = ${await active(account.id)}`);
});

it("[OUR-OAU-13] it is asked every time, and answered once", async () => {
  const account = await service.account("pro");
  const one = await program(service, account);
  await one.connect();
  const { visitor, location } = await one.authorize();
  expect(location).toMatch(/^\/oauth\/consent\//);
  const first = await visitor.send(location, "allow", { scope: "reports:read" });
  expect(first.status).toBe(303);
  await visitor.send(location, "allow", { scope: "reports:read" });
  await visitor.send(location, "deny");
  expect(await active(account.id)).toBe(2);
  // Nobody else's browser fetches the answer.
  const thief = await stranger(service).get(first.headers.location ?? "");
  expect(thief.status).toBe(400);
});

it("[OUR-OAU-14] the page tells who asks, as text, and where the answer goes", async () => {
  const account = await service.account();
  const name = '<img src=x onerror=alert(1)>\u202e"&';
  const one = await program(service, account, { client_name: name });
  const { visitor, location } = await one.authorize({ scope: "reports:read monitoring:write unheard:of" });
  const { status, text, headers } = await visitor.get(location);
  expect(status).toBe(200);
  expect(text).not.toContain("<img");
  expect(text).not.toContain("\u202e");
  expect(text).toContain("&lt;img src=x");
  expect(text).toContain("127.0.0.1:43210");
  expect(text).toContain("chose its name itself");
  expect(text).toContain("0 of 5 in use now");
  const policy = String(headers["content-security-policy"]);
  expect(policy).toContain("form-action 'self' http://127.0.0.1:43210;");
  const boxes = [...text.matchAll(/<input type="checkbox"([^>]*value=[^>]*)>/g)].map(([, box]) => box ?? "");
  // Every right that the account has: those that are asked for first, and only reads ticked.
  const values = boxes.map((box) => /value="([^"]*)"/.exec(box)?.[1]);
  expect(values.toSorted()).toEqual(scopes.toSorted());
  expect([values[0], values[readScopes.length]]).toEqual(["reports:read", "monitoring:write"]);
  expect(boxes.filter((box) => box.includes("checked"))).toEqual([boxes[0]]);
  expect(text.match(/not asked for/g)).toHaveLength(scopes.length - 2);
});

it("[OUR-OAU-14] a redirect cannot write the page's policy", async () => {
  const account = await service.account();
  const redirects = ["cursor://anysphere.cursor/cb", "https://a;script-src.example/cb", "http://[::1]:7/cb"];
  const one = await program(service, account, { redirect_uris: redirects });
  const told = [];
  for (const redirect_uri of redirects) {
    const { visitor, location } = await one.authorize({ redirect_uri });
    const { headers } = await visitor.get(location);
    told.push(/form-action ([^;]*);/.exec(String(headers["content-security-policy"]))?.[1]);
  }
  expect(told[0]).toBe("'self'");
  expect(told[1]).toBe("'self' https:");
  expect(told[2]).toBe("'self' http:");
  expect(told.join(" ")).not.toContain("script-src");
});

it("[OUR-OAU-14] only rights that there are can be granted, and nothing is no grant", async () => {
  const account = await service.account();
  const one = await program(service, account);
  const { visitor, location } = await one.authorize({ scope: "reports:read" });
  for (const scope of [["unheard:of"], ["reports:read", "admin"], []]) {
    const { status, text } = await visitor.send(location, "allow", { scope });
    expect(status).toBe(400);
    expect(text).toContain("Tick at least one");
  }
  expect(await active(account.id)).toBe(0);
});

it("[OUR-OAU-14] a person may grant what was not asked for: the token has it, and the answer says so", async () => {
  const account = await service.account();
  const one = await program(service, account);
  const given = ["reports:read", "servers:read", "monitoring:write"];
  const { access, refresh, scope } = await one.connect({ scope: "reports:read" }, given);
  expect(scope.split(" ").toSorted()).toEqual(given.toSorted());
  const allowed = await callTool(service, access, "list_servers");
  expect((allowed.json["result"] as { isError?: boolean }).isError).not.toBe(true);
  expect((await callTool(service, access, "create_server_group", { name: "G" })).status).toBe(403);
  expect(tokensIn(await one.refresh(refresh)).scope).toBe(scope);
  // Less than was asked for is as good.
  const less = await one.connect({ scope: "reports:read servers:read" }, ["servers:read"]);
  expect(less.scope).toBe("servers:read");
});

it("[OUR-OAU-15] over the plan's limit the page says so, and nothing is issued", async () => {
  const account = await service.account("free");
  await service.token(account);
  const one = await program(service, account);
  const { visitor, location } = await one.authorize();
  const page = await visitor.get(location);
  expect(page.text).toContain("Your plan (Free) covers 1 active token, and all are in use.");
  expect(page.text).not.toContain(">Connect</button>");
  const forced = await visitor.send(location, "allow", { scope: "reports:read" });
  expect(forced.status).toBe(409);
  expect(forced.headers.location).toBeUndefined();
  expect(await active(account.id)).toBe(1);
  const resumed = await visitor.get(location.replace("/consent/", "/authorize/"));
  expect(resumed.headers.location ?? "").not.toContain("code=");
  console.log("consents over the limit: tokens issued = 0");
});

it("[OUR-OAU-15] room that is made while the page is open counts, and a grant nobody redeems gives its place back", async () => {
  const account = await service.account("free");
  const one = await program(service, account);
  await one.code();
  expect(await active(account.id)).toBe(1);
  const { visitor, location } = await one.authorize();
  expect((await visitor.send(location, "allow", { scope: "reports:read" })).status).toBe(409);
  clock.ahead += 2 * minuteMs + 1;
  expect(await active(account.id)).toBe(0);
  const allowed = await visitor.send(location, "allow", { scope: "reports:read" });
  expect(allowed.status).toBe(303);
  const { headers } = await visitor.get(allowed.headers.location ?? "");
  const code = new URL(headers.location ?? "").searchParams.get("code") ?? "";
  expect(tokensIn(await one.redeem(code)).scope).toBe("reports:read");
  clock.ahead += 2 * minuteMs + 1;
  expect(await active(account.id)).toBe(1);
});

/** The ids that a page offers to replace. */
const offeredIn = (text: string): string[] =>
  [...text.matchAll(/(?:name="replaces"|<option(?: selected)?) value="([^"]*)"/g)].map(([, id]) => id ?? "");

it("[OUR-OAU-28] with its one place in use a program asks again: its connection is replaced, in one step", async () => {
  const account = await service.account("free");
  const one = await program(service, account);
  const first = await one.connect();
  expect((await callTool(service, first.access)).status).toBe(200);
  const scope = "reports:read servers:read";
  const { visitor, location } = await one.authorize({ scope });
  const { text } = await visitor.get(location);
  expect(text).toContain("Your plan (Free) covers 1 active token, and all are in use.");
  expect(text).toMatch(/Replace the connection made \d{4}-\d\d-\d\d \d\d:\d\d UTC, last used \d+ s ago\./);
  const [replaces = "", ...more] = offeredIn(text);
  expect(more).toEqual([]);
  expect(text).toContain(">Replace and connect</button>");
  // A connection is replaced when the person says so, never by the way.
  expect((await visitor.send(location, "allow", { scope: scope.split(" ") })).status).toBe(409);
  expect((await callTool(service, first.access)).status).toBe(200);
  const allowed = await visitor.send(location, "allow", { scope: scope.split(" "), replaces });
  expect(allowed.status).toBe(303);
  expect(await active(account.id)).toBe(1);
  expect((await callTool(service, first.access)).json["error"]).toBe("token_revoked");
  const { headers } = await visitor.get(allowed.headers.location ?? "");
  const code = new URL(headers.location ?? "").searchParams.get("code") ?? "";
  const second = tokensIn(await one.redeem(code));
  expect(second.scope).toBe(scope);
  expect((await callTool(service, second.access)).status).toBe(200);
});

it("[OUR-OAU-28] of several connections of the program one is chosen, the one used last first", async () => {
  const account = await service.account("pro");
  const limit = service.app.plans.pro.tokens;
  const one = await program(service, account);
  for (let held = 2; held < limit; held += 1) await service.token(account);
  const [idle, used] = [await one.connect(), await one.connect()];
  clock.ahead += 1;
  await callTool(service, used.access);
  const { visitor, location } = await one.authorize();
  const { text } = await visitor.get(location);
  const [newest = "", oldest = "", ...more] = offeredIn(text);
  expect(more).toEqual([]);
  expect(text).toMatch(
    /<option[^>]*>made [^<]* UTC, last used 0 s ago<\/option><option[^>]*>made [^<]* not used yet</,
  );
  expect((await visitor.send(location, "allow", { scope: "reports:read", replaces: oldest })).status).toBe(
    303,
  );
  expect((await callTool(service, idle.access)).status).toBe(401);
  expect((await callTool(service, used.access)).status).toBe(200);
  expect(newest).not.toBe(oldest);
  expect(await active(account.id)).toBe(limit);
});

it("[OUR-OAU-28] with places free, for another program's connection, or after a lapse, nothing is replaced", async () => {
  const account = await service.account("pro");
  const [one, other] = [await program(service, account), await program(service, account)];
  await one.connect();
  const free = await one.authorize();
  expect(offeredIn((await free.visitor.get(free.location)).text)).toEqual([]);
  expect((await free.visitor.send(free.location, "allow", { scope: readScopes })).status).toBe(303);
  expect(await active(account.id)).toBe(2);
  await service.app.db.write(changePlan, account.id, "free", service.app.clock());
  for (const asking of [one, other]) {
    const { visitor, location } = await asking.authorize();
    const { text } = await visitor.get(location);
    expect(text).toContain("Your plan (Free) covers 1 active token, and all are in use.");
    expect([offeredIn(text), text.includes("nothing can be granted now")]).toEqual([[], true]);
  }
  const single = await service.account("free");
  const [mine, theirs] = [await program(service, single), await program(service, single)];
  await mine.connect();
  const { visitor, location } = await theirs.authorize();
  expect(offeredIn((await visitor.get(location)).text)).toEqual([]);
  const asked = await mine.authorize();
  const [id = ""] = offeredIn((await asked.visitor.get(asked.location)).text);
  const forced = await visitor.send(location, "allow", { scope: "reports:read", replaces: id });
  expect(forced.status).toBe(409);
  expect(await active(single.id)).toBe(1);
});

it("[OUR-OAU-23] what cannot be answered to a program is a page for people and an object for programs", async () => {
  const asked = "/oauth/authorize?client_id=unknown&response_type=code&redirect_uri=https://evil.example/";
  const object = await service.request("GET", asked);
  expect(object.status).toBe(400);
  expect(object.json["error"]).toBe("invalid_client");
  const led = await service.request("GET", asked, { headers: { accept: "text/html" } });
  expect(led.status).toBe(303);
  expect(led.headers.location).toBe("/oauth/refused?error=invalid_client");
  const page = await service.request("GET", led.headers.location ?? "");
  expect(page.status).toBe(400);
  expect(page.text).toContain("not known to this service");
  for (const error of ["<b>", "constructor", "__proto__"]) {
    const other = await service.request("GET", `/oauth/refused?error=${encodeURIComponent(error)}`);
    expect(other.text).toContain("Start again from the program.");
    expect(other.text).not.toContain("<b>");
  }
});
