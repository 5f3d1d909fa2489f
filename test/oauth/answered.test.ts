import { countActiveConnectors } from "../../src/store/access/connectors.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hourMs } from "../../src/core/time.ts";
import { roomyPlans, startTestService, type Answer, type TestService } from "../support/service.ts";
import { signedIn, visitor as stranger, type Visitor } from "../support/visitor.ts";
import { program, tokensIn, type Program } from "./program.ts";

const clock = { ahead: 0 };
const privateRedirect = "cursor://anysphere.cursor/cb";
const reading = { scope: "reports:read" };
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: () => Date.now() + clock.ahead, plans: roomyPlans });
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const active = (accountId: string): Promise<number> =>
  service.app.db.read(countActiveConnectors, accountId, service.app.clock());

const placeOf = ({ headers }: Answer): string => headers.location ?? "";
const codeIn = (answer: Answer): string => new URL(placeOf(answer)).searchParams.get("code") ?? "";

/** A second request of the program in a browser that has one waiting. */
async function askedAgain(one: Program, visitor: Visitor): Promise<string> {
  const query = new URLSearchParams({
    client_id: one.clientId,
    redirect_uri: one.redirectUri,
    response_type: "code",
    code_challenge: "x".repeat(43),
    code_challenge_method: "S256",
  });
  return placeOf(await visitor.get(`/oauth/authorize?${query}`));
}

it("[OUR-OAU-13] several requests wait in one browser, whose cookies are told apart by name and by path", async () => {
  const account = await service.account();
  const one = await program(service, account);
  const { answer, visitor, location: first } = await one.authorize();
  const second = await askedAgain(one, visitor);
  const cookies = [...visitor.cookies.keys()].filter((name) => /_(consent|resume)_/.test(name));
  const ids = [first, second].map((location) => location.split("/").at(-1));
  expect(cookies).toEqual(ids.flatMap((id) => [`tickmark_consent_${id}`, `tickmark_resume_${id}`]));
  expect(answer.headers["set-cookie"]?.map((line) => /path=[^;]*/.exec(line)?.[0])).toEqual([
    `path=/oauth/consent/${ids[0]}`,
    `path=/oauth/authorize/${ids[0]}`,
  ]);
  expect((await visitor.get(first)).status).toBe(200);
  expect((await visitor.get(second)).status).toBe(200);
  for (const location of [second, first]) {
    const allowed = await visitor.send(location, "allow", reading);
    expect(codeIn(await visitor.get(placeOf(allowed)))).not.toBe("");
  }
  expect(await active(account.id)).toBe(2);
  expect([...visitor.cookies.keys()].filter((name) => name.startsWith("tickmark_resume"))).toEqual([]);
});

/** The page as it was before it was answered: its buttons can be pressed again. */
async function standing(visitor: Visitor, location: string) {
  const { text } = await visitor.get(location);
  const token = /name="_csrf" value="([^"]*)"/.exec(text)?.[1] ?? "";
  return (action: string): Promise<Answer> =>
    service.request("POST", location, {
      headers: {
        cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams({ _csrf: token, do: action, ...reading }).toString(),
    });
}

const html = { accept: "text/html" };

it("[OUR-OAU-27] a second click, Back and a reload are told what was answered, and grant nothing", async () => {
  const account = await service.account();
  const one = await program(service, account, { client_name: "Desk <b>robot" });
  const { visitor, location } = await one.authorize();
  const press = await standing(visitor, location);
  const code = codeIn(await visitor.get(placeOf(await press("allow"))));
  for (const action of ["allow", "deny"]) {
    const again = await press(action);
    expect([again.status, placeOf(again)]).toEqual([303, location]);
  }
  const { status, text, headers } = await visitor.get(location);
  expect(status).toBe(200);
  expect(text).toContain("You connected <bdi>Desk &lt;b>robot</bdi>");
  expect(text).toContain("Go back to the program, which continues there.");
  expect([text.includes("<form"), headers["refresh"]]).toEqual([false, undefined]);
  // Its answer is not handed out again, and who comes for it is told the same.
  const late = await service.request("GET", location.replace("/consent/", "/authorize/"), { headers: html });
  expect([late.status, placeOf(late)]).toEqual([303, location]);
  expect(await active(account.id)).toBe(1);
  expect(tokensIn(await one.redeem(code)).scope).toBe("reports:read");
});

it("[OUR-OAU-27] two clicks at once, and an answer that was not fetched yet, go on to the program", async () => {
  const account = await service.account();
  const one = await program(service, account);
  const { visitor, location } = await one.authorize();
  const press = await standing(visitor, location);
  const pressed = await Promise.all([press("allow"), press("allow"), press("deny")]);
  expect(pressed.map(({ status }) => status)).toEqual([303, 303, 303]);
  const onward = location.replace("/consent/", "/authorize/");
  expect(pressed.map(placeOf).filter((to) => to === onward)).toHaveLength(1);
  const reloaded = await visitor.get(location);
  expect([reloaded.status, placeOf(reloaded)]).toEqual([303, onward]);
  const fetched = await Promise.all([visitor.get(onward), visitor.get(onward)]);
  const codes = fetched.filter((answer) => placeOf(answer).includes("code="));
  expect(codes).toHaveLength(1);
  expect((await one.redeem(codes.map(codeIn)[0] ?? "")).status).toBe(200);
  expect(await active(account.id)).toBe(1);
});

it("[OUR-OAU-27] who said no is told so, and the program gets no code", async () => {
  const account = await service.account();
  const one = await program(service, account);
  const { visitor, location } = await one.authorize();
  const press = await standing(visitor, location);
  const denied = await visitor.get(placeOf(await press("deny")));
  expect(new URL(placeOf(denied)).searchParams.get("error")).toBe("access_denied");
  expect(placeOf(await press("allow"))).toBe(location);
  expect((await visitor.get(location)).text).toContain("You did not connect <bdi>A program</bdi>");
  expect(await active(account.id)).toBe(0);
});

it("[OUR-OAU-27] to another browser or person, and after its hour, there is nothing", async () => {
  const account = await service.account();
  const one = await program(service, account);
  const { visitor, location } = await one.authorize();
  await visitor.get(placeOf(await visitor.send(location, "allow", reading)));
  expect((await (await signedIn(service, account)).get(location)).status).toBe(404);
  const somebody = await signedIn(service, await service.account());
  for (const [name, value] of visitor.cookies) if (name !== "tickmark") somebody.cookies.set(name, value);
  expect((await somebody.get(location)).status).toBe(404);
  expect(placeOf(await stranger(service).get(location))).toMatch(/^\/sign-in/);
  clock.ahead += hourMs;
  expect((await visitor.get(location)).status).toBe(404);
  const late = await service.request("GET", location.replace("/consent/", "/authorize/"), { headers: html });
  expect(placeOf(late)).toBe("/oauth/refused?error=invalid_request");
});

it("[OUR-OAU-27] where the program's address is no web address, a page says so and leads on", async () => {
  const account = await service.account();
  const one = await program(service, account, { redirect_uris: [privateRedirect] });
  const { visitor, location } = await one.authorize({ redirect_uri: privateRedirect });
  const allowed = await visitor.send(location, "allow", reading);
  expect(placeOf(allowed)).toBe(location);
  const onward = location.replace("/consent/", "/authorize/");
  const page = await visitor.get(location);
  expect([page.status, page.headers["refresh"]]).toEqual([200, `0; url=${onward}`]);
  expect(page.text).toContain("You connected <bdi>A program</bdi>");
  expect(page.text).toContain(`<a href="${onward}">open the program</a>`);
  const led = await visitor.get(onward);
  expect(placeOf(led)).toMatch(/^cursor:\/\/anysphere\.cursor\/cb\?code=/);
  // The page still stands: its link leads to the same page, without a way on.
  const again = await service.request("GET", onward, { headers: html });
  expect(placeOf(again)).toBe(location);
  const told = await visitor.get(location);
  expect([told.status, told.headers["refresh"], told.text.includes(onward)]).toEqual([200, undefined, false]);
  expect((await one.redeem(codeIn(led), { redirect_uri: privateRedirect })).status).toBe(200);
});
