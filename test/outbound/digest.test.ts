import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digestMessage } from "../../src/core/digest/digest-message.ts";
import type { DigestFacts } from "../../src/core/digest/facts.ts";
import type { Message } from "../../src/core/notice/message.ts";
import { findingCodes } from "../../src/core/health/health.ts";
import { chatPost } from "../../src/outbound/chat-message.ts";
import { notifier, type OpenNotifier } from "../../src/outbound/notifier.ts";
import { change, day, factsOf, server, turn } from "../core/digest/digest-facts.ts";
import { attacksFor, hasCorpus } from "../support/corpus.ts";
import { reportedStrings } from "../support/hostile-names.ts";
import { someOf } from "../support/long.ts";
import { readMail, startMailServer, type MailServer } from "./mail-server.ts";
import { baseUrl } from "./receiver.ts";

const mailFrom = { name: "Tickmark", address: "alerts@tickmark.example" };
let mail: MailServer;
let out: OpenNotifier;
beforeAll(async () => {
  mail = await startMailServer();
  out = notifier({ smtpUrl: mail.url, baseUrl, mailFrom });
});
afterAll(async () => {
  out.close();
  await mail.close();
});

/** The largest digest there is, in which every name that others chose is `name`. */
const fullOf = (name: string): DigestFacts =>
  factsOf(
    Array.from({ length: 250 }, (_, place) =>
      server(place, {
        name,
        verdict: "critical",
        since: "2026-11-22T18:05:00.000Z",
        headline: {
          code: "slower_than_usual",
          text: "Ticks take 1046.1 ms; with 20 to 39 players this server usually needs 1021.4 ms (p98 1031.0).",
        },
        step: "raise_heap",
      }),
    ),
    {
      moreServers: 9750,
      openAlerts: 999,
      turns: [turn(1, "critical", [...findingCodes], day)],
      changes: Array.from({ length: 500 }, () =>
        change(name, { kind: "plugin_updated", subject: name, from: name, to: name.slice(0, 40) }, day),
      ),
      isComplete: false,
      alerts: { count: 99_999, rules: 999, noisiest: { name, serverName: name, alerts: 99_999 } },
    },
  );

const repeated = (piece: string): string => Array.from(piece.repeat(80)).slice(0, 80).join("");

/** Names of the length that a server may have, of what is longest when it is escaped. */
const longest = [
  "a",
  "&",
  "<",
  "`",
  "*_~|",
  "\u200b",
  "\u{1f600}",
  "\u{e0041}",
  "é",
  "\n",
  "](",
  "@everyone ",
].map(repeated);
const recorded = [...reportedStrings, ...(hasCorpus ? attacksFor("mail") : [])];
const names = [...longest, ...someOf(recorded)];

/** The lines of a message, as no name may change them: how many, and how each begins. */
const outlineOf = (lines: readonly string[]): string[] => lines.map((line) => line.slice(0, 2));

describe("the largest digest", () => {
  it("[OUR-DIG-18] [OUR-DIG-19] is a mail of at most 6,000 characters, whatever names stand in it", async () => {
    let longestMail = 0;
    for (const name of names) {
      const message = digestMessage(fullOf(name), "email");
      mail.mails.length = 0;
      expect(await out.send("email", "owner@tests.example", message, "1")).toEqual({ status: "sent" });
      const [sent] = mail.mails;
      if (!sent) throw new Error("No mail arrived.");
      const { text, subject, headers } = readMail(sent);
      longestMail = Math.max(longestMail, text.length);
      expect(text.length).toBeLessThanOrEqual(6000);
      expect(headers).toHaveLength(9);
      expect(subject).toBe("Weekly digest: 250 of 250 servers with problems");
      const lines = text.split("\r\n");
      expect(outlineOf(lines.slice(0, -3))).toEqual(outlineOf(message.lines));
      expect(lines.slice(-4)).toEqual([
        "Switch this digest off, or read it in the browser, under Settings, Notifications:",
        "",
        expect.stringMatching(/\/settings\/notifications$/),
        "",
      ]);
    }
    console.log(`the largest digest of ${names.length} names: ${longestMail} characters of mail`);
  });

  it("[OUR-DIG-18] [OUR-DIG-19] is cut short by no chat platform, and nothing in it is markup", () => {
    const lengths = { discord: 0, slack: 0 };
    for (const name of names) {
      const message: Message = { ...digestMessage(fullOf(name), "chat"), link: `${baseUrl()}/digest` };
      const ending = "Notifications";
      const discord = chatPost(new URL("https://discord.com/api/webhooks/1/abc"), message).body as {
        embeds: [{ title: string; description: string }];
      };
      const { description } = discord.embeds[0];
      expect(description.endsWith(`${ending}\\.`)).toBe(true);
      expect(description.replaceAll(/\\[!-/:-@[-`{-~]/g, "")).not.toMatch(/[!-/:-@[-`{-~]/);
      const slack = chatPost(new URL("https://hooks.slack.com/services/T/B/x"), message).body as {
        text: string;
        blocks: [{ text: { text: string } }];
      };
      const [{ text: block }] = slack.blocks;
      expect(block.text.endsWith(`${ending}.`)).toBe(true);
      expect(slack.text).toContain(`${ending}.\n\`\`\``);
      expect(block.text).not.toMatch(/[<>]/);
      lengths.discord = Math.max(lengths.discord, description.length);
      lengths.slack = Math.max(lengths.slack, block.text.length);
    }
    expect(lengths.discord).toBeLessThanOrEqual(4096);
    expect(lengths.slack).toBeLessThanOrEqual(3000);
    console.log(`the largest digest of ${names.length} names: ${JSON.stringify(lengths)} characters of chat`);
  });

  it("[OUR-DIG-18] gives up entries of its longest part first, and counts them", () => {
    const { lines } = digestMessage(fullOf(repeated("\u200b")), "chat");
    const servers = lines.indexOf("Servers, the worst first");
    expect(lines.slice(servers, lines.indexOf("", servers)).at(-1)).toMatch(/^- and \d+ servers more$/);
    for (const heading of ["Findings of the week", "What changed (UTC)", "Alerts of the week", "Next steps"])
      expect(lines[lines.indexOf(heading) + 1]).toMatch(/^- /);
  });
});
