import { changeReport } from "../../src/services/report/change-report.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import { startSession } from "../../src/contract/call/person.ts";
import { neutralise } from "../../src/core/text/neutralise.ts";
import { visibleHtml } from "../../src/dashboard/visible-html.ts";
import { pages } from "../../src/dashboard/pages/registry.ts";
import { filledAccount } from "../browser/filled-account.ts";
import { reportedStrings } from "../support/hostile-names.ts";
import { roomyPlans, startTestService, type TestService } from "../support/service.ts";
import { signedIn, visitor, type Visitor } from "../support/visitor.ts";
import type { Words } from "../support/words.ts";

/** A bidi override, a tag character, a zero width space and the begin of a Markdown image, in front of a name. */
const unseen = "\u202e\u{e0041}\u200b";
const bait = `${unseen}![`;
const shown = "\\u{202E}\\u{E0041}\\u{200B}\\u{21}[";

/** Texts of which each has all of that, and is another. */
function unseenWords(): Words {
  let serial = 0;
  const text = (max: number): string => {
    serial += 1;
    const name = `n${serial.toString(36)}`;
    return max > bait.length + name.length ? bait + name : name;
  };
  return { text, name: text };
}

/** Characters that stand in the HTML and that nobody can see, LF and TAB apart. */
const hiddenIn = (html: string): string[] =>
  html.match(
    /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/gu,
  ) ?? [];

/** What a browser makes of the HTML outside fields: text, and attributes that are read. */
const outsideFields = (html: string): string =>
  html
    .replaceAll(/(<textarea[^>]*>)[^<]*/g, "$1")
    .replaceAll(/ value="[^"]*"/g, "")
    .replaceAll(/ href="[^"]*"/g, "");

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
const kindOf = (path: string): string | undefined =>
  pages
    .filter((page) => patternOf(page.path).test(path.split("?", 1)[0] ?? ""))
    .toSorted((a, b) => a.path.split("{").length - b.path.split("{").length)[0]?.path;

/** Pages that tell nothing but our own words, to whoever opens them. */
const withoutTexts = new Set([
  "/",
  "/docs",
  "/docs/{reference}",
  "/docs/{reference}/{resource}",
  "/docs/guides/{guide}",
  "/sign-in",
  "/sign-up",
  "/sign-out",
  "/set-up",
  "/password/forgot",
  "/password/reset/{code}",
  "/sign-in/open-codes/{code}",
  "/verify-email/{code}",
]);

let service: TestService;
let owner: Account;
let paths: readonly string[];
let own: Visitor;
beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans });
  const words = unseenWords();
  ({ owner, paths } = await filledAccount(service, words));
  own = await signedIn(service, owner);
  // The page of sessions shows what a browser calls itself.
  await startSession(service.app, owner, words.text(200), service.app.clock());
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

/** The program's name is one of those, too. */
async function consentPath(): Promise<string> {
  const redirect_uri = "http://127.0.0.1/callback";
  const { json } = await service.request("POST", "/oauth/register", {
    body: { client_name: `${bait}program`, redirect_uris: [redirect_uri] },
  });
  const client_id = String(json["client_id"]);
  return `/oauth/authorize?${new URLSearchParams({ client_id, redirect_uri, response_type: "code", code_challenge: "x".repeat(43), code_challenge_method: "S256" })}`;
}

describe("what nobody can see", () => {
  it("[OUR-TXT-01] stands on no page of the dashboard: counted over all of them, signed in, as an admin and anonymous", async () => {
    const admin = await signedIn(service, await service.account("enterprise", "admin"));
    const reports = paths.filter((path) => /^\/(reports|unit-tests)\/[\w-]+$/.test(path));
    for (const path of reports) {
      const { app } = service;
      const id = path.split("/").at(-1) ?? "";
      if (path.startsWith("/reports/")) await app.db.write(changeReport, id, { visibility: "public" });
    }
    const visits: (readonly [Visitor, string])[] = [
      ...[
        ...paths,
        "/servers/availability",
        "/servers/changes?all=yes",
        "/servers/relink",
        "/settings/delete-account",
      ].map((path) => [own, path] as const),
      ...[
        `/admin/accounts/${owner.id}`,
        `/admin/accounts?search=${encodeURIComponent(owner.email)}`,
        "/admin/offers",
        "/admin/offers/filled",
        "/admin",
        "/admin/service",
        "/admin/security",
        "/admin/invitations",
      ].map((path) => [admin, path] as const),
      ...[...reports, "/reports", "/offers"].map((path) => [visitor(service), path] as const),
    ];
    const consent = await own.get(await consentPath());
    visits.push([own, new URL(String(consent.headers["location"]), "http://here").pathname]);
    const found: string[] = [];
    const seen = new Map<string, number>();
    let characters = 0;
    for (const [who, path] of visits) {
      const { text } = await who.get(path);
      const kind = kindOf(path) ?? path;
      characters += text.length;
      if (hiddenIn(text).length > 0) found.push(`${path}: ${hiddenIn(text).length}`);
      if (outsideFields(text).includes("![")) found.push(`${path}: ![`);
      seen.set(kind, (seen.get(kind) ?? 0) + text.split(shown).length - 1);
    }
    expect(found).toEqual([]);
    const total = [...seen.values()].reduce((sum, count) => sum + count, 0);
    console.log(
      `${visits.length} pages of ${seen.size} kinds, ${characters} characters: 0 hidden ones, ${total} texts with them written`,
    );
    const missed = pages.filter(({ path }) => !seen.has(path) && !withoutTexts.has(path));
    expect(missed.map(({ path }) => path)).toEqual([]);
    expect(total).toBeGreaterThan(200);
  });

  it("[OUR-TXT-01] [OUR-TXT-43] is shown to anybody who opens a public report", async () => {
    const path = paths.find((each) => /^\/reports\/[\w-]+$/.test(each)) ?? "";
    await service.app.db.write(changeReport, path.split("/").at(-1) ?? "", { visibility: "public" });
    const { status, text } = await visitor(service).get(path);
    expect(status).toBe(200);
    expect(hiddenIn(text)).toEqual([]);
    expect(text.split(shown).length - 1).toBeGreaterThan(10);
  });

  it("[OUR-TXT-43] stays in a field what it is, and is sent back as it came", () => {
    const text = `a${unseen}b\u0007 \u{1f3f3}\ufe0f\u200d\u{1f308}`;
    const html = `<textarea name="a" placeholder="> ${bait}">${text} &lt;</textarea><input value="${text}" title=" value=${unseen}"/>`;
    const made = visibleHtml(html);
    expect(hiddenIn(made)).toEqual(["\u0007", "\u0007"]);
    const decoded = made.replaceAll(/&#x([0-9a-f]+);/g, (_, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    );
    expect(decoded).toBe(
      `<textarea name="a" placeholder="> ${shown}">${text} &lt;</textarea><input value="${text}" title=" value=\\u{202E}\\u{E0041}\\u{200B}"/>`,
    );
  });

  it("[OUR-TXT-01] is written outside fields as everywhere else, and a page without it is not touched", () => {
    for (const text of reportedStrings) {
      const coded = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
      expect(visibleHtml(`<p title="${coded}">${coded}</p>`)).toBe(
        `<p title="${neutralise(coded, Infinity).text}">${neutralise(coded, Infinity).text}</p>`,
      );
    }
    const plain = '<p class="a">Größe · 12 µs… 😀</p>';
    expect(visibleHtml(plain)).toBe(plain);
  });
});
