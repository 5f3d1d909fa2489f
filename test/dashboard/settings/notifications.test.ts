import { recipientOf } from "../../../src/store/notice/recipients.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { confirmationsPerDay, confirmationTries } from "../../../src/core/notice/records.ts";
import { pages } from "../../../src/dashboard/pages/registry.ts";
import { readMail, startMailServer, type MailServer } from "../../outbound/mail-server.ts";
import { receiverReach, startReceiver, type Receiver } from "../../outbound/receiver.ts";
import { roomyPlans } from "../../support/service.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";
import { alertPages, textOf, type AlertPages } from "../alerts/alerting.ts";

const path = "/settings/notifications";
const minuteMs = 60_000;
const address = "night-watch@elsewhere.example";

let mail: MailServer;
let chat: Receiver;
let scene: AlertPages;
/** Everything any page or answer said, to be searched for what must not be in it. */
const told: string[] = [];

/** A visitor whose pages are remembered. */
const remembering = (visitor: Visitor): Visitor => ({
  ...visitor,
  get: async (asked) => {
    const answer = await visitor.get(asked);
    told.push(answer.text);
    return answer;
  },
  send: async (...sent) => {
    const answer = await visitor.send(...sent);
    told.push(answer.text);
    return answer;
  },
});

beforeAll(async () => {
  [mail, chat] = await Promise.all([startMailServer(), startReceiver()]);
  scene = await alertPages({
    plans: roomyPlans,
    smtpUrl: mail.url,
    reach: receiverReach,
  });
});
afterAll(async () => {
  expect(scene.service.defects).toEqual([]);
  await scene.service.close();
  await Promise.all([mail.close(), chat.close()]);
});

const webhook = (): string => `https://hooks.test.example:${chat.port}/services/T0/B0/secret`;
const person = async () => {
  const account = await scene.service.account("pro");
  return { account, visitor: remembering(await signedIn(scene.service, account)) };
};
const shown = async ({ get }: Visitor): Promise<string> => textOf((await get(path)).text);
const codeIn = (): string =>
  /The code is ([A-Z2-9]{8})\./.exec(
    readMail(mail.mails.at(-1) ?? { from: "", recipients: [], raw: "" }).text,
  )?.[1] ?? "";

describe("another mail address", () => {
  it("[OUR-NTS-02] [OUR-NTS-01] is used once its code came back, and the account's own until then", async () => {
    const { account, visitor } = await person();
    expect(await shown(visitor)).toContain("p…@tests.example , the address of the account confirmed");
    expect((await visitor.send(path, "set-email", { email: address })).status).toBe(303);
    expect(mail.mails.at(-1)?.recipients).toEqual([address]);
    const waiting = await shown(visitor);
    expect(waiting).toContain("A code was mailed to n…@elsewhere.example . It expires in 30 min");
    expect(waiting).toContain("p…@tests.example , the address of the account confirmed");
    const code = codeIn();
    const wrong = await visitor.send(path, "confirm-email", { code: "AAAA2222" });
    expect([wrong.status, textOf(wrong.text)]).toEqual([400, expect.stringContaining("The code is wrong.")]);
    await visitor.send(path, "test", { channel: "email" });
    expect(mail.mails.at(-1)?.recipients).toEqual([account.email]);
    expect((await visitor.send(path, "confirm-email", { code: ` ${code.toLowerCase()} ` })).status).toBe(303);
    expect(await shown(visitor)).toContain("n…@elsewhere.example , set for notifications confirmed");
    const sent = await visitor.send(path, "test", { channel: "email" });
    expect(textOf(sent.text)).toContain("E-mail, test message: sent E-mail ");
    expect(mail.mails.at(-1)?.recipients).toEqual([address]);
    expect((await visitor.send(path, "own-email")).status).toBe(303);
    expect(await shown(visitor)).toContain("p…@tests.example , the address of the account confirmed");
  });

  it("[OUR-NTS-03] takes a code half an hour, five times", async () => {
    const { visitor } = await person();
    await visitor.send(path, "set-email", { email: address });
    for (let tries = 0; tries < confirmationTries; tries += 1)
      expect((await visitor.send(path, "confirm-email", { code: "AAAA2222" })).status).toBe(400);
    const code = codeIn();
    expect(await shown(visitor)).not.toContain("A code was mailed");
    await visitor.send(path, "set-email", { email: address });
    const again = codeIn();
    expect(again).not.toBe(code);
    scene.clock.now += 31 * minuteMs;
    expect(await shown(visitor)).not.toContain("A code was mailed");
    expect(await shown(visitor)).toContain("the address of the account");
  });

  it("[OUR-NTS-04] has five codes mailed in a day", async () => {
    const { account, visitor } = await person();
    const before = mail.mails.length;
    for (let sent = 0; sent < confirmationsPerDay; sent += 1)
      expect((await visitor.send(path, "set-email", { email: `a${sent}@elsewhere.example` })).status).toBe(
        303,
      );
    const refused = await visitor.send(path, "set-email", { email: "b@elsewhere.example" });
    expect([refused.status, textOf(refused.text)]).toEqual([
      429,
      expect.stringContaining("Try again tomorrow."),
    ]);
    expect(mail.mails.length - before).toBe(confirmationsPerDay);
    scene.clock.now += 24 * 60 * minuteMs;
    const nextDay = await signedIn(scene.service, account);
    expect((await nextDay.send(path, "set-email", { email: "b@elsewhere.example" })).status).toBe(303);
  });

  it.each([
    "nobody",
    "a@b@c.example",
    "a@b.example, c@d.example",
    "a@b.example\nBcc: c@d.example",
    "<a@b.example>",
  ])("refuses %j", async (email) => {
    const { visitor } = await person();
    const before = mail.mails.length;
    expect((await visitor.send(path, "set-email", { email })).status).toBe(400);
    expect(mail.mails).toHaveLength(before);
  });

  it("[OUR-NTS-05] without a mail server is not asked for, and the page says so", async () => {
    const bare = await alertPages();
    const page = await bare.visitor.get(path);
    expect(textOf(page.text)).toContain("This service sends no mail");
    expect(page.text).not.toContain('value="set-email"');
    const refused = await bare.visitor.send(path, "set-email", { email: address });
    expect(refused.status).toBe(409);
    const tested = textOf((await bare.visitor.send(path, "test", { channel: "email" })).text);
    expect(tested).toContain("skipped Not sent: this service sends no mail");
    await bare.service.close();
  });

  it("[OUR-NTS-05] leaves everything as it was where the code cannot be mailed", async () => {
    const silent = await startMailServer({
      onRcptTo: (_recipient, _session, done) => done(new Error("no such user")),
    });
    const strict = await alertPages({ smtpUrl: silent.url });
    const refused = await strict.visitor.send(path, "set-email", { email: address });
    expect([refused.status, textOf(refused.text)]).toEqual([
      409,
      expect.stringContaining("and nothing was changed."),
    ]);
    expect(await shown(strict.visitor)).not.toContain("A code was mailed");
    await strict.service.close();
    await silent.close();
  });
});

describe("the chat webhook", () => {
  it("[OUR-NTS-06] is refused where sending would not call it", async () => {
    const { visitor } = await person();
    for (const url of [
      "https://10.0.0.1/x",
      "https://[::1]/x",
      "https://169.254.169.254/latest",
      "https://inner.example/x",
      "https://127.1.2.3/x",
      "https://0x7f000002/x",
    ]) {
      const refused = await visitor.send(path, "set-chat", { url });
      expect([url, refused.status, textOf(refused.text)]).toEqual([
        url,
        400,
        expect.stringContaining("its name was not found, or it is not on the public internet"),
      ]);
    }
    for (const url of [
      "http://hooks.test.example/x",
      "https://a:b@hooks.test.example/x",
      "https://hooks.test.example:25/x",
      "ftp://x",
      "x",
    ])
      expect([url, (await visitor.send(path, "set-chat", { url })).status]).toEqual([url, 400]);
    expect(chat.received).toEqual([]);
    expect(await shown(visitor)).toContain("No webhook is set");
  });

  it("[OUR-NTS-01] [OUR-NTS-10] is shown by its host, tested, and taken away", async () => {
    const { visitor } = await person();
    const unset = await visitor.send(path, "test", { channel: "chat" });
    expect(textOf(unset.text)).toContain("skipped Not sent: no chat webhook is set");
    expect((await visitor.send(path, "set-chat", { url: webhook() })).status).toBe(303);
    expect(await shown(visitor)).toContain(`Messages are posted to hooks.test.example:${chat.port} .`);
    const sent = await visitor.send(path, "test", { channel: "chat" });
    expect(textOf(sent.text)).toContain("Chat, test message: sent E-mail ");
    expect(chat.received.map(({ path: called }) => called)).toEqual(["/services/T0/B0/secret"]);
    chat.answer = (response) => void response.writeHead(404).end();
    const failed = await visitor.send(path, "test", { channel: "chat" });
    expect(textOf(failed.text)).toContain(
      "failed Given up after one attempt: the mail server or chat service refused",
    );
    chat.answer = (response) => void response.writeHead(204).end();
    expect((await visitor.send(path, "remove-chat")).status).toBe(303);
    expect(await shown(visitor)).toContain("No webhook is set");
  });

  it("[OUR-NTS-10] [ALR-19] five tests go in ten minutes, and the sixth says when", async () => {
    const { visitor } = await person();
    for (let sent = 0; sent < 5; sent += 1)
      expect((await visitor.send(path, "test", { channel: "chat" })).status).toBe(200);
    const refused = await visitor.send(path, "test", { channel: "email" });
    expect([refused.status, textOf(refused.text)]).toEqual([
      429,
      expect.stringContaining("Wait 600 seconds"),
    ]);
    scene.clock.now += 10 * minuteMs;
    expect((await visitor.send(path, "test", { channel: "chat" })).status).toBe(200);
  });
});

describe("notices", () => {
  it("[OUR-NTS-09] go to the channels that their owner chose", async () => {
    const { account, visitor } = await person();
    const wishes = async () => (await scene.service.app.db.read(recipientOf, account.id))?.settings;
    await visitor.send(path, "set-notices", { by_chat: "on" });
    expect(await wishes()).toMatchObject({ noticesByEmail: false, noticesByChat: true });
    await visitor.send(path, "set-notices", { by_email: "on" });
    expect(await wishes()).toMatchObject({ noticesByEmail: true, noticesByChat: false });
    await visitor.send(path, "set-notices");
    expect(await wishes()).toMatchObject({ noticesByEmail: false, noticesByChat: false });
  });
});

it("[OUR-NTS-01] [OUR-NTS-07] [ALR-25] no page, no answer of the API and no row holds an address that was set", async () => {
  const { service, server, owner, beats, rules } = scene;
  const visitor = remembering(await signedIn(service, owner));
  await visitor.send(path, "set-email", { email: address });
  await visitor.send(path, "confirm-email", { code: codeIn() });
  await visitor.send(path, "set-chat", { url: webhook() });
  await visitor.send(`${rules}?metric=tps`, "create-rule", {
    metric: "tps",
    name: "Low",
    condition: "below",
    threshold: "18",
    duration_minutes: "0",
    notify_email: "on",
    notify_chat: "on",
  });
  await beats(1, { tps: 3 });
  const token = await service.token(owner);
  const api = [
    "/alert-events",
    `/servers/${server.id}/alert-rules`,
    "/servers",
    "/token",
    `/servers/${server.id}/events`,
  ];
  for (const asked of api) told.push((await service.request("GET", `/api/v1${asked}`, { token })).text);
  const alert = /"id":"([^"]+)"/.exec(told.at(-api.length) ?? "")?.[1] ?? "";
  expect(mail.mails.at(-1)?.recipients).toEqual([address]);
  expect(readMail(mail.mails.at(-1) ?? { from: "", recipients: [], raw: "" }).text).toContain(
    `/alerts/${alert}`,
  );
  for (const page of pages) {
    if (/\{(?!id\})/.test(page.path)) continue;
    const id = page.path.startsWith("/alerts") ? alert : server.id;
    await visitor.get(page.path.replace("{id}", id));
  }
  const all = told.join("\n");
  for (const secret of [address, "night-watch", webhook(), "/services/T0", "B0/secret"])
    expect(all).not.toContain(secret);
  const settings = JSON.stringify(await service.app.db.read(recipientOf, owner.id));
  expect(settings).not.toContain("elsewhere.example");
  expect(settings).not.toContain("hooks.test");
  console.log(`${told.length} pages and answers searched: 0 addresses`);
});
