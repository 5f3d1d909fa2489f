import { afterAll, beforeAll, expect, it } from "vitest";
import { startMailServer, readMail, type MailServer } from "../../outbound/mail-server.ts";
import { signedIn } from "../../support/visitor.ts";
import { alertPages, textOf, type AlertPages } from "../alerts/alerting.ts";

const settings = "/settings/notifications";
const monday = Date.parse("2026-11-23T08:00:00Z");
const hostile = '<b>"Lobby"</b> @everyone ![x](https://evil.example/)\u200b';

let mail: MailServer;
let scene: AlertPages;
beforeAll(async () => {
  mail = await startMailServer();
  scene = await alertPages({ smtpUrl: mail.url });
  await scene.beats(20, { tps: 14, mspt: 70 });
});
afterAll(async () => {
  expect(scene.service.defects).toEqual([]);
  await scene.service.close();
  await mail.close();
});

const page = async (): Promise<string> => (await scene.visitor.get("/digest")).text;
/** The text of a page's blocks of preformatted text. */
const blocks = (html: string): string[] =>
  [...html.matchAll(/<div class="typed">([\s\S]*?)<\/div>/g)].map(([, block = ""]) =>
    block
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replaceAll("&amp;", "&"),
  );

it("[OUR-DIG-21] the page shows the digest while it is off, and says when the next one is due", async () => {
  const text = textOf(await page());
  expect(text).toContain(
    "The next digest is due on 2026-11-23 08:00 UTC , in 3 d , for the seven days before it.",
  );
  expect(text).toContain("Weekly digest: 1 of 1 server with problems");
  const [asMail = "", asChat = ""] = blocks(await page());
  expect(asMail).toContain(
    "- Lobby: critical since 2026-11-20 08:00 UTC. Ticks take 70 ms of the 50 ms they have (median of 15 min).",
  );
  expect(asMail).toContain("under Settings, Notifications:");
  expect(asChat).toContain("Switch this digest off under Settings, Notifications.");
});

it("[OUR-DIG-22] [OUR-DIG-01] the settings switch it on and off for each channel, and say when it is due", async () => {
  const { visitor } = scene;
  const shown = async () => {
    const html = (await visitor.get(settings)).text;
    const card = html.slice(html.indexOf('id="digest"'));
    return [textOf(card.slice(0, card.indexOf("<form"))), [...card.matchAll(/ checked/g)].length] as const;
  };
  const [off, none] = await shown();
  expect([off, none]).toEqual([
    expect.stringContaining("every Monday at 08:00 UTC. Read it now . It is off."),
    0,
  ]);
  await visitor.send(settings, "set-digest", { by_email: "on", by_chat: "on" });
  const [on, both] = await shown();
  expect([on, both]).toEqual([expect.stringContaining("The next one is due on 2026-11-23 08:00 UTC ."), 2]);
  await visitor.send(settings, "set-digest", { by_chat: "on" });
  expect((await shown())[1]).toBe(1);
  await visitor.send(settings, "set-digest");
  expect((await shown())[0]).toContain("It is off.");
});

it("[OUR-DIG-21] [OUR-DIG-20] the mail is the text of the page at the same moment", async () => {
  await scene.visitor.send(settings, "set-digest", { by_email: "on" });
  scene.clock.now = monday;
  const [asMail] = blocks(await page());
  await scene.service.service.work.run();
  // The first rule of the server sent one as well: it is down.
  const digest = () => mail.mails.find((each) => readMail(each).subject.startsWith("Weekly digest"));
  await expect.poll(digest).toBeDefined();
  const sent = digest();
  if (!sent) throw new Error("No mail arrived.");
  const { subject, text } = readMail(sent);
  expect(subject).toBe("Weekly digest: 1 of 1 server down");
  expect(text).toBe(`${asMail?.replaceAll("\n", "\r\n")}\r\n`);
  expect(asMail).toContain(`\n\n${scene.service.app.baseUrl}/settings/notifications`);
});

it("[OUR-DIG-19] a name that others chose is text on the page", async () => {
  const owner = await scene.service.account("pro");
  const visitor = await signedIn(scene.service, owner);
  await scene.service.server(owner, { name: hostile });
  const html = (await visitor.get("/digest")).text;
  expect(html).not.toContain("<b>");
  expect(html).not.toContain('<a href="https://evil');
  // A page makes escapes of a message visible as what they are, as it does everywhere.
  const shown = '- <b>"Lobby"</b> @everyone \\u{5C}u{21}[x](https://evil.example/)';
  expect(blocks(html)[0]).toContain(shown);
});

it("[OUR-DIG-05] the page says so where nothing is sent", async () => {
  const empty = await signedIn(scene.service, await scene.service.account("pro"));
  expect(textOf((await empty.get("/digest")).text)).toContain("Nothing to send yet");
  const free = await signedIn(scene.service, await scene.service.account("free"));
  const text = textOf((await free.get("/digest")).text);
  expect(text).toContain("The digest is about monitored servers. This account is on Free.");
  expect(text).not.toContain("As e-mail");
});
