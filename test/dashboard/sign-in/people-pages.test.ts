import { selectAccountByEmail } from "../../../src/store/access/accounts.ts";
import { insertSession } from "../../../src/store/access/sessions.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readHtml } from "../../support/html.ts";
import { startTestService, type Answer, type TestService } from "../../support/service.ts";
import { signedIn, visitor } from "../../support/visitor.ts";
import { forms, landing, password, person } from "./people.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ signUp: "open" });
  await person(service);
});
afterAll(() => service.close());

describe("what a page shows", () => {
  const hostile = [
    `"><img src=x onerror=alert(1)>@x.example`,
    `</title><script>alert(1)</script>@x.example`,
    `'-alert(1)-'@x.example`,
    `<svg/onload=alert(1)>@x.example`,
    `javascript:alert(1)//@x.example`,
    "\u202e\u0000<b>@x.example",
  ];

  it("[OUR-SES-20] typed texts and what browsers call themselves as text, wherever they stand", async () => {
    let nodes = 0;
    const look = ({ text }: Answer): void => {
      if (/<(?:img|svg\/|b>|iframe)/.test(text) || /<script(?! type="module" src="\/assets\/)/.test(text))
        nodes += 1;
      expect(text).not.toMatch(/<[^>]* (?:style|on\w+)=/);
    };
    for (const [index, text] of hostile.entries()) {
      const browser = await signedIn(service, await person(service, { email: `${index}${text}` }));
      const app = service.app;
      const secret = app.secrets.newNonce();
      const now = app.clock();
      const accountId = (await app.db.read(selectAccountByEmail, `${index}${text}`))?.id ?? "";
      const times = { createdAt: now, lastUsedAt: now, expiresAt: now + 60_000, provenAt: now };
      const session = { id: app.secrets.newId(now), accountId, ...times, userAgent: text };
      await app.db.write(insertSession, session, app.secrets.digest(secret));
      for (const path of ["/settings", "/sign-out"]) {
        const answer = await browser.get(path);
        expect(answer.status).toBe(200);
        look(answer);
      }
      const nobody = visitor(service);
      look(await nobody.send("/sign-in", "sign_in", { email: text, password: "no", to: text }));
      look(await nobody.send("/sign-up", "sign_up", { email: text, password: "no", invitation: text }));
      const query = new URLSearchParams({ to: text, after: text, invitation: text });
      for (const path of ["/sign-in", "/sign-up", "/password/forgot"])
        look(await nobody.get(`${path}?${query}`));
      for (const path of ["/verify-email", "/password/reset"])
        look(await nobody.get(`${path}/${encodeURIComponent(text)}`));
    }
    console.log(`${hostile.length} hostile texts, new nodes: ${nodes}`);
    expect(nodes).toBe(0);
  });

  it("[OUR-SES-20] nothing that runs in the page, under a policy that would not let it", async () => {
    const browser = await signedIn(service, await person(service));
    for (const [path] of forms) {
      const { headers, text } = await browser.get(path);
      const policy = String(headers["content-security-policy"]);
      expect(policy, path).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(headers["cache-control"]).toBe("no-store");
      expect(text).not.toMatch(/<script>|<style| style="/);
    }
  });

  it("[OUR-SES-08] the browsers that are signed in, and ends them", async () => {
    const account = await person(service);
    const [here, there, elsewhere] = [
      await signedIn(service, account),
      await signedIn(service, account),
      await signedIn(service, account),
    ];
    const listed = (await here.get("/settings/security")).text;
    expect(listed.match(/name="session_id"/g)).toHaveLength(2);
    expect(listed).toContain("this one");
    const session_id = /name="session_id" value="([^"]*)"/.exec(listed)?.[1] ?? "";
    expect(landing(await here.send("/settings/security", "end_session", { session_id }))).toEqual([
      303,
      "/settings/security",
    ]);
    const left = [await there.get("/settings"), await elsewhere.get("/settings")];
    expect(left.map(({ status }) => status).toSorted()).toEqual([200, 303]);
    await here.send("/settings/security", "end_other_sessions");
    expect((await there.get("/settings")).status).toBe(303);
    expect((await elsewhere.get("/settings")).status).toBe(303);
    expect((await here.get("/settings/security")).text).not.toContain("session_id");
  });

  it("[OUR-SES-09] who may sign up, as the operator decided", async () => {
    const browser = visitor(service);
    const joined = await browser.send("/sign-up", "sign_up", { email: "joins@example.org", password });
    expect(landing(joined)).toEqual([303, "/settings"]);
    expect((await browser.get("/settings")).text).toContain("not verified</span>");
    const taken = await visitor(service).send("/sign-up", "sign_up", {
      email: "joins@example.org",
      password,
    });
    expect([taken.status, taken.text.includes("There is an account with this address already.")]).toEqual([
      409,
      true,
    ]);
    for (const [signUp, words] of [
      ["closed", "This service takes no sign-ups"],
      ["invite", "Accounts are made by invitation"],
    ] as const) {
      const other = await startTestService({ signUp });
      await person(other);
      const page = (await visitor(other).get("/sign-up")).text;
      const odd = (await visitor(other).get("/sign-up?invitation=over")).text;
      await other.close();
      expect(page).toContain(words);
      expect(page).not.toContain("<form");
      expect(odd).toContain(signUp === "closed" ? words : "This invitation cannot be used");
    }
  });

  it("[OUR-SES-19] somebody new on the way to a consent back there, whichever of the pages they go by", async () => {
    const to = "/oauth/consent/abc?x=1&y=2";
    const query = new URLSearchParams({ to });
    const linksOf = ({ text }: Answer): readonly string[] =>
      readHtml(text)
        .attributes.filter(([name]) => name === "href")
        .map(([, value]) => value);
    const browser = visitor(service);
    expect(linksOf(await browser.get(`/sign-in?${query}`))).toEqual(
      expect.arrayContaining([`/sign-up?${query}`, `/password/forgot?${query}`]),
    );
    expect(linksOf(await browser.get(`/sign-up?${query}`))).toContain(`/sign-in?${query}`);
    expect(linksOf(await browser.get(`/password/forgot?${query}`))).toContain(`/sign-in?${query}`);
    const typed = { email: "led@example.org", password: "short", to };
    const refused = await browser.send("/sign-up", "sign_up", typed);
    expect([refused.status, linksOf(refused).includes(`/sign-in?${query}`)]).toEqual([400, true]);
    expect(readHtml(refused.text).attributes).toContainEqual(["value", to]);
    expect(landing(await browser.send("/sign-up", "sign_up", { ...typed, password }))).toEqual([303, to]);
    expect(landing(await browser.get(`/sign-up?${query}`))).toEqual([303, to]);
    for (const path of ["/sign-in", "/sign-up", "/password/forgot"])
      for (const elsewhere of ["", "?to=//evil.example", "?to=https://evil.example"]) {
        const links = linksOf(await visitor(service).get(path + elsewhere));
        expect(links.filter((href) => href.includes("evil") || href.includes("to="))).toEqual([]);
      }
    const astray = { email: "astray@example.org", password, to: "//evil.example" };
    expect(landing(await visitor(service).send("/sign-up", "sign_up", astray))).toEqual([303, "/settings"]);
  });

  it("[OUR-SES-16] plainly that no mail is sent, and the operator's command", async () => {
    const account = await person(service, { emailVerified: false });
    const forgot = (await visitor(service).get("/password/forgot")).text;
    expect(forgot).toContain("This service sends no mail.");
    expect(readHtml(forgot).text).toContain("tickmark account reset-password");
    expect(forgot).not.toContain("<form");
    const settings = (await (await signedIn(service, account)).get("/settings")).text;
    expect(readHtml(settings).text).toContain(`tickmark account verify-email ${account.email}`);
    expect(settings).toContain("Your address cannot be verified by a link");
    expect(settings).not.toContain("Open the link in the mail");
  });
});
