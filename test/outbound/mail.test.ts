import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Message } from "../../src/core/notice/message.ts";
import type { SendResult } from "../../src/core/notice/notifier.ts";
import { neutralise } from "../../src/core/text/neutralise.ts";
import { notifier, type OpenNotifier } from "../../src/outbound/notifier.ts";
import { attacksFor, hasCorpus } from "../support/corpus.ts";
import { reportedStrings } from "../support/hostile-names.ts";
import { readMail, startMailServer, type Mail, type MailServer } from "./mail-server.ts";
import { baseUrl, certificate, lag, startTrap, tlsKey } from "./receiver.ts";
import { ownTime } from "../support/own-time.ts";

const mailFrom = { name: "Tickmark", address: "alerts@tickmark.example" };
const recipient = "owner@tests.example";
const opened: OpenNotifier[] = [];
const over = (smtpUrl: string | null, at = baseUrl): OpenNotifier => {
  const made = notifier({ smtpUrl, baseUrl: at, mailFrom });
  opened.push(made);
  return made;
};
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());

const headerNames = [
  "auto-submitted",
  "content-transfer-encoding",
  "content-type",
  "date",
  "from",
  "message-id",
  "mime-version",
  "subject",
  "to",
];

const take = (): Mail[] => server.mails.splice(0);

describe("a mail", () => {
  it("[OUR-DLV-11] is plain text to one recipient, and says that a program sent it", async () => {
    expect(await over(server.url).send("email", recipient, lag, "0198c0de-id")).toEqual({ status: "sent" });
    const [mail] = take();
    if (!mail) throw new Error("No mail arrived.");
    expect(mail).toMatchObject({ from: mailFrom.address, recipients: [recipient] });
    const { headers, subject, text } = readMail(mail);
    expect(headers.map(([name]) => name).toSorted()).toEqual(headerNames);
    expect(Object.fromEntries(headers)).toMatchObject({
      from: "Tickmark <alerts@tickmark.example>",
      to: recipient,
      "message-id": "<0198c0de-id@tickmark.example>",
      "auto-submitted": "auto-generated",
      "content-type": "text/plain; charset=utf-8",
    });
    expect(subject).toBe(lag.title);
    expect(text).toBe(`${lag.lines.join("\r\n")}\r\n\r\n${lag.link}\r\n`);
  });

  it("[OUR-DLV-11] leads to the page on the service as others reach it", async () => {
    const { send } = over(server.url, () => "https://tickmark.example");
    await send("email", recipient, { ...lag, link: "/alerts/1" }, "1");
    expect(take().map((mail) => readMail(mail).text.split("\r\n").at(-2))).toEqual([
      "https://tickmark.example/alerts/1",
    ]);
  });

  it("[OUR-DLV-12] keeps its Message-ID over all attempts, whatever the id holds", async () => {
    const { send } = over(server.url);
    for (const id of ["same", "same", "a b\r\nBcc: x@y.example\u2028<>@é", "../.."])
      await send("email", recipient, { ...lag, link: null }, id);
    const ids = take().map((mail) => Object.fromEntries(readMail(mail).headers)["message-id"]);
    expect(ids[0]).toBe(ids[1]);
    for (const id of ids) expect(id).toMatch(/^<[A-Za-z0-9-]+@tickmark\.example>$/);
  });

  it("[OUR-DLV-11] goes to nobody whose address is not one plain address", async () => {
    const { send } = over(server.url);
    const hostile = [
      "",
      "owner",
      "a@b.example, c@d.example",
      "a@b.example;c@d.example",
      "a@b.example c@d.example",
      "<a@b.example>",
      "Owner <a@b.example>",
      "a@b.example>,<c@d.example",
      "group: a@b.example;",
      '"a@b.example, c"@d.example',
      "a@b.example\r\nRCPT TO:<c@d.example>",
      "a@b.example\nBcc: c@d.example",
      "a@b.example\r",
      "a@b.example\u0000",
      "a\u2028b@c.example",
      "a@b.example\u0085",
      "a@[127.0.0.1]",
      "a(c)@b.example",
      "ａ@b.example",
    ];
    for (const address of hostile) {
      expect(await send("email", address, lag, "1"), address).toEqual({
        status: "failed",
        reason: "provider_error",
        detail: "not one plain mail address",
        again: "never",
        retryAfterMs: null,
      });
    }
    console.log(`mail: ${hostile.length} addresses that are not one: mails sent: ${server.mails.length}`);
    expect(take()).toEqual([]);
  });
});

/** How the mails that arrived differ from one plain mail to one recipient. */
const strays = (mails: readonly Mail[]) => {
  let recipients = 0;
  let headers = 0;
  for (const mail of mails) {
    recipients +=
      mail.recipients.filter((address) => address !== recipient).length + mail.recipients.length - 1;
    const names = readMail(mail).headers.map(([name]) => name);
    headers += names.toSorted().join() === headerNames.join() ? 0 : 1;
  }
  return { recipients, headers };
};

/** Sends every text once in a title and once in a line. */
async function sendAll(texts: readonly string[]): Promise<Mail[]> {
  const { send } = over(server.url);
  const arrived: Mail[] = [];
  const width = 25;
  for (let at = 0; at < texts.length; at += width) {
    const batch = texts.slice(at, at + width);
    const results = await Promise.all(
      batch.map((text, index) =>
        send("email", recipient, { ...lag, title: `Alert ${text}`, lines: [text] }, `${at + index}`),
      ),
    );
    for (const result of results) expect(result).toEqual({ status: "sent" });
    arrived.push(...take());
  }
  return arrived;
}

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");

describe("texts that others wrote, in a mail", () => {
  it("[OUR-DLV-11] [OUR-DLV-14] texts made for breaking out add no recipient, header or line", async () => {
    const texts = [
      ...reportedStrings,
      "x\r\nBcc: c@d.example",
      "x\nTo: c@d.example\n\nbody",
      "x\r\n\r\n.\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>",
      ".",
      "..",
      "x\u2028Bcc: c@d.example\u2029y\u0085z\u000b\u000c",
      "a@b.example, c@d.example",
      "Lobby <c@d.example>, x",
      "=?utf-8?q?=0D=0ABcc:_c@d.example?=",
      '"quoted" \\" (comment) <angle>',
      "=0D=0ABcc: c@d.example",
      "x".repeat(5000),
      "\u{1f600}".repeat(400),
    ];
    const mails = await sendAll(texts);
    const { recipients, headers } = strays(mails);
    console.log(
      `mail: ${texts.length} hostile texts, ${mails.length} mails: extra recipients: ${recipients}, extra headers: ${headers}`,
    );
    expect([recipients, headers, mails.length]).toEqual([0, 0, texts.length]);
    for (const mail of mails) {
      const { text } = readMail(mail);
      expect(text.split("\r\n").length).toBe(4);
      expect(text.endsWith(`\r\n\r\n${lag.link}\r\n`)).toBe(true);
    }
  });

  it.skipIf(!hasCorpus)(
    "[OUR-DLV-11] no recorded text adds any, and each is read as it was shown",
    async () => {
      const texts = attacksFor("mail").map((text) => neutralise(text, 200).text);
      const mails = await sendAll(texts);
      const { recipients, headers } = strays(mails);
      const byId = new Map(
        mails.map((mail) => {
          const read = readMail(mail);
          return [Number(/\d+/.exec(Object.fromEntries(read.headers)["message-id"] ?? "")), read];
        }),
      );
      const changed = texts.filter((text, index) => {
        const shown = oneLine(text).trim();
        const read = byId.get(index);
        return (
          read?.text !== `${shown}\r\n\r\n${lag.link}\r\n` || read.subject !== oneLine(`Alert ${text}`).trim()
        );
      });
      console.log(
        `mail: ${texts.length} recorded texts, ${mails.length} mails: extra recipients: ${recipients}, extra headers: ${headers}, subjects or bodies changed: ${changed.length}`,
      );
      expect([recipients, headers, mails.length]).toEqual([0, 0, texts.length]);
      expect(changed.slice(0, 5)).toEqual([]);
    },
  );
});

describe("a mail that does not go out", () => {
  it("[OUR-DLV-12] is skipped where no mail server is configured", async () => {
    expect(await over(null).send("email", recipient, lag, "1")).toEqual({
      status: "skipped",
      reason: "not_configured",
    });
  });

  it("[OUR-DLV-09] [OUR-DLV-13] failed for a reason that names neither address, nor server, nor what it said", async () => {
    const refusing = await startMailServer({
      onRcptTo: ({ address }, _session, done) =>
        done(Object.assign(new Error(`<${address}> is unknown here`), { responseCode: 550 })),
    });
    const asking = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error("wrong: pass-word of owner@tests.example")),
    });
    const encrypted = await startMailServer({ secure: true, cert: certificate, key: tlsKey });
    const closed = await startTrap("127.0.0.1");
    await closed.close();
    const results: SendResult[] = [];
    const signingIn = asking.url.replace("//", "//owner%40tests.example:pass-word@");
    const encrypting = encrypted.url.replace("smtp:", "smtps:");
    for (const [url, words, again] of [
      [refusing.url, /^the mail server answered 550$/, "never"],
      [signingIn, /refused the sign-in \(535\)/, "later"],
      [encrypting, /^the certificate of the mail server is self-signed$/, "later"],
      [`smtp://127.0.0.1:${closed.port}`, /^the mail server refused the connection/, "later"],
    ] as const) {
      const result = await over(url).send("email", recipient, lag, "1");
      const detail: unknown = expect.stringMatching(words);
      expect(result).toMatchObject({ reason: "provider_error", detail, again });
      results.push(result);
    }
    expect(JSON.stringify(results)).not.toMatch(/owner|tests|pass-word|127\.0/);
    for (const each of opened.splice(0)) each.close();
    await Promise.all([refusing, asking, encrypted].map((each) => each.close()));
  });

  it("[OUR-DLV-12] is given up within 10 s, from a server that is silent and from one that never ends, but not while it looks at the mail", async () => {
    const sockets: Socket[] = [];
    const endless = createServer((socket) => {
      sockets.push(socket.on("error", () => {}));
      socket.write("220 hello\r\n");
      const more = setInterval(() => socket.write("250-more\r\n"), 100);
      socket.once("close", () => clearInterval(more));
    }).listen(0, "127.0.0.1");
    await once(endless, "listening");
    const slow = await startMailServer({ onMailFrom: () => {} });
    const thoughtful = await startMailServer({
      onData: (stream, _session, done) => void stream.resume().once("end", () => setTimeout(done, 11_000)),
    });
    const silent = await startTrap("127.0.0.1");
    const measured: string[] = [];
    const timed = async (what: string, url: string): Promise<void> => {
      const own = ownTime();
      expect(await over(url).send("email", recipient, lag, "1"), what).toMatchObject({
        reason: "timeout",
        again: "later",
      });
      const took = own();
      measured.push(`${what} ${took.toFixed(0)} ms`);
      expect(took).toBeLessThan(12_000);
    };
    await Promise.all([
      timed("no greeting", `smtp://127.0.0.1:${silent.port}`),
      timed("an answer without end", `smtp://127.0.0.1:${(endless.address() as AddressInfo).port}`),
      timed("no answer to a command", slow.url),
      expect(over(thoughtful.url).send("email", recipient, lag, "1")).resolves.toEqual({ status: "sent" }),
    ]);
    console.log(`mail: given up after ${measured.join(", ")}`);
    for (const socket of sockets) socket.destroy();
    endless.close();
    for (const each of opened.splice(0)) each.close();
    await Promise.all([silent.close(), slow.close(), thoughtful.close()]);
  });

  it("[OUR-DLV-13] a mail after the end is a failure, not an exception", async () => {
    const ended = over(server.url);
    ended.close();
    const message: Message = { ...lag, title: "\ud800" };
    expect(await ended.send("email", recipient, message, "1")).toMatchObject({
      status: "failed",
      reason: "provider_error",
    });
  });
});
