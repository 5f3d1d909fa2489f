import { createServer } from "node:net";
import { once } from "node:events";
import type { SMTPServerOptions } from "smtp-server";
import { afterEach, expect, it } from "vitest";
import { notifier } from "../../src/outbound/notifier.ts";
import { certificateOf } from "../support/certificates.ts";
import { freePort } from "../support/free-port.ts";
import { startMailServer } from "./mail-server.ts";
import { baseUrl, lag } from "./receiver.ts";

const mailFrom = { name: "Tickmark", address: "alerts@tickmark.example" };
const recipient = "owner@tests.example";
const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** What one mail over that server comes to, and what the operator is told of it. */
async function attempt(smtpUrl: string) {
  const troubles: string[] = [];
  const made = notifier({ smtpUrl, baseUrl, mailFrom, mailTroubled: (words) => void troubles.push(words) });
  open.push(() => made.close());
  const result = await made.send("email", recipient, lag, "1");
  if (result.status !== "failed") return { status: result.status, troubles };
  const { reason, detail, again } = result;
  return { status: "failed", reason, detail, again, troubles };
}

const table: string[] = [];

/** A failure that keeps every mail back: tried again, and told to the operator in the same words. */
async function expectTrouble(url: string, words: RegExp, reason = "provider_error"): Promise<void> {
  const { troubles, ...rest } = await attempt(url);
  expect(rest, url).toMatchObject({ status: "failed", reason, again: "later" });
  expect(troubles).toEqual([rest.detail]);
  expect(rest.detail).toMatch(words);
  table.push(`${rest.detail} | again: ${rest.again}`);
}

const over = async (options: SMTPServerOptions): Promise<{ url: string; port: number }> => {
  const server = await startMailServer(options);
  open.push(() => server.close());
  return server;
};

it("[OUR-ALR-64] a certificate that is not trusted is named by its fault, and the options of the URL help", async () => {
  const authority = certificateOf({ name: "An authority", isAuthority: true });
  const trusting = `tls.ca=${encodeURIComponent(authority.cert)}`;
  const host = "127.0.0.1";
  const own = certificateOf({ name: "mail", hosts: [host] });
  const cases = [
    [own, "", /is self-signed$/],
    [
      certificateOf({ name: "mail", hosts: [host], issuer: authority }),
      "",
      /comes from an unknown authority$/,
    ],
    [
      certificateOf({ name: "mail", hosts: [host], issuer: authority, from: -9, until: -8 }),
      trusting,
      /has expired$/,
    ],
    [
      certificateOf({ name: "mail", hosts: [host], issuer: authority, from: 8, until: 9 }),
      trusting,
      /not valid yet/,
    ],
    [
      certificateOf({ name: "mail", hosts: ["mail.example"], issuer: authority }),
      trusting,
      /for another name/,
    ],
  ] as const;
  for (const [{ cert, key }, options, words] of cases) {
    const { port } = await over({ secure: true, cert, key });
    await expectTrouble(`smtps://${host}:${port}/?${options}`, words);
  }
  const { port } = await over({ secure: true, cert: own.cert, key: own.key });
  expect(await attempt(`smtps://${host}:${port}/?tls.rejectUnauthorized=false`)).toMatchObject({
    status: "sent",
  });
  const named = certificateOf({ name: "mail", hosts: ["mail.example"], issuer: authority });
  const inside = await over({ secure: true, cert: named.cert, key: named.key });
  const servername = `${trusting}&tls.servername=mail.example`;
  expect(await attempt(`smtps://${host}:${inside.port}/?${servername}`)).toMatchObject({ status: "sent" });
  // The same over STARTTLS, which is used where the server offers it.
  const starting = await over({ disabledCommands: [], cert: own.cert, key: own.key });
  await expectTrouble(starting.url, /is self-signed$/);
  expect(await attempt(`${starting.url}/?ignoreTLS=true`)).toMatchObject({ status: "sent" });
});

it("[OUR-ALR-64] a server that cannot be reached or signed in to is named by its fault", async () => {
  await expectTrouble(`smtp://127.0.0.1:${await freePort()}`, /refused the connection: nothing listens/);
  await expectTrouble(
    "smtp://nobody.invalid:2525",
    /name of the mail server (is unknown|could not be looked up)$/,
  );
  const plain = await over({});
  await expectTrouble(plain.url.replace("smtp:", "smtps:"), /does not begin with TLS: use smtp:/);
  await expectTrouble(
    `${plain.url}/?requireTLS=true`,
    /begins no TLS \(50\d\), which TICKMARK_SMTP_URL requires$/,
  );
  const other = createServer(
    (socket) => void socket.on("error", () => {}).end("HTTP/1.1 400 Bad Request\r\n\r\n"),
  );
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  open.push(() => other.close());
  await expectTrouble(
    `smtp://127.0.0.1:${(other.address() as { port: number }).port}`,
    /is no mail server|takes nothing|closed the connection/,
  );
  const strict = await over({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(Object.assign(new Error("No"), { responseCode: 535 })),
  });
  await expectTrouble(
    strict.url.replace("//", "//me:wrong@"),
    /refused the sign-in \(535\): check user and password/,
  );
  await expectTrouble(strict.url, /refused the sign-in \(530\)/);
});

const saying = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode });

it("[OUR-ALR-64] a refusal of this service is tried again and told, one of a mail or a recipient is for good", async () => {
  const at = {
    sender: (error: Error): SMTPServerOptions => ({ onMailFrom: (_address, _session, done) => done(error) }),
    recipient: (error: Error): SMTPServerOptions => ({ onRcptTo: (_address, _session, done) => done(error) }),
    mail: (error: Error): SMTPServerOptions => ({
      onData: (stream, _session, done) => void stream.resume().once("end", () => done(error)),
    }),
  };
  const cases = [
    ["sender", 550, "Sender rejected", true],
    ["sender", 553, "5.7.1 Sender address rejected: not owned by user", true],
    ["sender", 552, "Message size exceeds fixed limit", false],
    ["recipient", 554, "5.7.1 <owner@tests.example>: Relay access denied", true],
    ["recipient", 550, "relay not permitted", true],
    ["recipient", 553, "sorry, that domain isn't in my list of allowed rcpthosts", true],
    ["recipient", 550, "5.7.1 Client host blocked", true],
    ["recipient", 550, "5.1.1 No such user", false],
    ["recipient", 550, "<relay@tests.example> is unknown here", false],
    ["recipient", 553, "5.1.3 Bad recipient address syntax", false],
    ["recipient", 554, "5.2.2 Mailbox full", false],
    ["mail", 554, "Transaction failed", true],
    ["mail", 550, "5.7.26 Unauthenticated sender", true],
    ["mail", 550, "5.6.0 Message rejected", false],
    ["mail", 552, "Too large", false],
  ] as const;
  for (const [stage, status, text, isOurs] of cases) {
    const { url } = await over(at[stage](saying(status, text)));
    const { troubles, ...rest } = await attempt(url);
    expect(rest, `${status} ${text}`).toMatchObject({ status: "failed", again: isOurs ? "later" : "never" });
    expect(troubles, `${status} ${text}`).toEqual(isOurs ? [rest.detail] : []);
    expect(rest.detail).toContain(String(status));
    expect(rest.detail).not.toContain("owner@");
    table.push(`${stage}: ${status} ${text} | ${rest.detail} | again: ${rest.again}`);
  }
  console.log(table.join("\n"));
});
