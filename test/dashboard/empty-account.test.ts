import { afterAll, beforeAll, expect, it } from "vitest";
import { pages } from "../../src/dashboard/pages/registry.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { signedIn } from "../support/visitor.ts";

/** Pages of an account that are never empty: each is a form, or shows what every account has. */
const neverEmpty = new Set([
  "/find",
  "/servers/relink",
  "/settings",
  "/settings/delete-account",
  "/settings/display",
  "/settings/notifications",
  "/settings/security",
  "/settings/security/log",
  "/settings/security/passkeys",
  "/settings/security/second-factor",
  "/sign-out",
]);

/** Pages of visitors without an account, and of the service's operator. */
const ofOthers = /^\/(admin|oauth|password|set-up|sign-in|sign-up|verify-email)/;

const paths = pages.map(({ path }) => path).filter((path) => !ofOthers.test(path));

/** Pages without a name in their address, but for the first, which leads on to that of servers. */
const ownPaths = paths.filter((path) => !path.includes("{") && path !== "/");

/** Pages of a server that are forms, or the steps themselves. */
const ofAnyServer = new Set([
  "/servers/{id}/first-steps",
  "/servers/{id}/periods",
  "/servers/{id}/rules/preview",
  "/servers/{id}/settings",
]);
const serverPaths = paths.filter((path) => /^\/servers\/\{id\}(\/[a-z-]+)*$/.test(path));

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const textIn = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
const insides = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(([, inside = ""]) => inside);
const emptyLists = (html: string): string[] => insides(html, /<section class="empty">([\s\S]*?)<\/section>/g);
const notices = (html: string): string[] => insides(html, /<div class="notice [a-z]+">([\s\S]*?)<\/div>/g);
/** A link, a command or a button. */
const hasStep = (html: string): boolean => /<(a href|code|button)\b/.test(html);
/** A sentence of some words, with its full stop or the colon before a form. */
const sentence = /[A-Z]\S* (\S+ ){4,}\S*[.:]/;

/** What is wrong with the empty lists of a page. */
function faultsOf(html: string): string[] {
  return emptyLists(html).flatMap((inside) => {
    const [list = "", next = ""] = inside.split('<div class="next stack-half">');
    const faults = [];
    if (!sentence.test(textIn(list.replace(/<h2>.*?<\/h2>/, "")) + " " + textIn(next)))
      faults.push("no sentence");
    if (!hasStep(next)) faults.push("no next step");
    return faults.map((fault) => `${fault}: ${textIn(inside)}`);
  });
}

/** Whether a page says that there is nothing yet, and leads on. */
const leadsOn = (html: string): boolean => emptyLists(html).length > 0 || notices(html).some(hasStep);

it.each(["free", "pro", "hosting", "enterprise"] as const)(
  "[OUR-DSH-21] every page of a new account on %s says what will be there, and leads on",
  async (plan) => {
    const visitor = await signedIn(service, await service.account(plan));
    const silent = new Set<string>();
    const faults: string[] = [];
    for (const path of ownPaths) {
      const { text, status } = await visitor.get(path);
      expect(status, path).toBe(200);
      if (!leadsOn(text)) silent.add(path);
      faults.push(...faultsOf(text).map((fault) => `${path} ${fault}`));
    }
    expect(faults).toEqual([]);
    for (const path of neverEmpty) expect(ownPaths).toContain(path);
    expect([...silent].filter((path) => !neverEmpty.has(path))).toEqual([]);
    const own = await visitor.get("/reports?mine=true");
    expect(textIn(emptyLists(own.text).join(" "))).toContain("No reports of yours yet");
  },
);

it.each(["free", "pro"] as const)(
  "[OUR-DSH-21] every page of a server on %s that has sent nothing leads on",
  async (plan) => {
    const owner = await service.account(plan);
    const visitor = await signedIn(service, owner);
    const { id } = await service.server(owner);
    const silent: string[] = [];
    const faults: string[] = [];
    for (const path of serverPaths.filter((each) => !ofAnyServer.has(each))) {
      const { text } = await visitor.get(path.replace("{id}", id));
      const main = text.slice(text.indexOf("<main"));
      if (!leadsOn(main) && !main.includes(`/servers/${id}/first-steps"`)) silent.push(path);
      faults.push(...faultsOf(text).map((fault) => `${path} ${fault}`));
    }
    expect(faults).toEqual([]);
    expect(silent).toEqual([]);
  },
);
