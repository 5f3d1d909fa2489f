import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Message } from "../../src/core/notice/message.ts";
import { neutralise } from "../../src/core/text/neutralise.ts";
import { chatPost } from "../../src/outbound/chat-message.ts";
import { notifier } from "../../src/outbound/notifier.ts";
import { attacksFor, hasCorpus } from "../support/corpus.ts";
import { reportedStrings } from "../support/hostile-names.ts";
import { baseUrl, certificate, lag, startReceiver, type Receiver } from "./receiver.ts";

const discordUrl = "https://discord.com/api/webhooks/1/abc";
const slackUrl = "https://hooks.slack.com/services/T/B/x";
const otherUrl = "https://hooks.test.example/hooks/x";

const DiscordBody = z.strictObject({
  embeds: z.tuple([
    z.strictObject({
      title: z.string().min(1).max(256),
      description: z.string().min(1).max(4096).optional(),
      color: z.int().min(0).max(0xff_ff_ff),
      url: z.string().optional(),
    }),
  ]),
  allowed_mentions: z.strictObject({ parse: z.tuple([]) }),
});
const Section = z.strictObject({
  type: z.literal("section"),
  text: z.discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("plain_text"),
      text: z.string().min(1).max(3000),
      emoji: z.literal(false),
    }),
    z.strictObject({ type: z.literal("mrkdwn"), text: z.string(), verbatim: z.literal(true) }),
  ]),
});
const SlackBody = z.strictObject({
  text: z.string().max(4000),
  blocks: z.array(Section).optional(),
  unfurl_links: z.literal(false),
  unfurl_media: z.literal(false),
});

/** What Discord shows of a text, and the punctuation in it that stands bare and could be markup. */
const readDiscord = (text: string): { shown: string; bare: string[] } => {
  const bare: string[] = [];
  const shown = text.replace(
    /\\([!-/:-@[-`{-~])|([!-/:-@[-`{-~])/g,
    (_, escaped?: string, alone?: string) => {
      if (alone !== undefined) bare.push(alone);
      return escaped ?? alone ?? "";
    },
  );
  return { shown, bare };
};

const entities: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };
const readEntities = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? entity);
const activeInEntities = (text: string): readonly string[] => text.match(/[<>]|&(?!(?:amp|lt|gt);)/g) ?? [];

interface Seen {
  readonly title: string;
  readonly rest: string;
  /** Characters that could begin a mention, a link or a format. */
  readonly active: readonly string[];
}

const seenInDiscord = (body: unknown): Seen => {
  const [embed] = DiscordBody.parse(body).embeds;
  const [title, rest] = [readDiscord(embed.title), readDiscord(embed.description ?? "")];
  return { title: title.shown, rest: rest.shown, active: [...title.bare, ...rest.bare] };
};

const seenInText = (whole: string): Seen => {
  const [first = "", ...others] = readEntities(whole).split("\n");
  return { title: first.replace(/^. /u, ""), rest: others.join("\n"), active: activeInEntities(whole) };
};

/** What stands between the fences of `text`, and that nothing but a link stands behind them. */
const codeOf = (text: string): string => {
  const [, code] = /^```\n([^`]*)\n```(?:\n<https:\/\/[^<>|`\s]+>)?$/.exec(text) ?? [];
  if (code === undefined) throw new Error(`Text outside the code block: ${text}`);
  return code;
};

const seenInSlack = (body: unknown): Seen => {
  const { text, blocks = [] } = SlackBody.parse(body);
  const [first, link] = blocks.map((block) => block.text);
  expect(first?.type).toBe("plain_text");
  if (link) expect(link.text).toMatch(/^<https:\/\/[^<>|`\s]+>$/);
  const seen = seenInText(first?.text ?? "");
  return { ...seen, active: [...seen.active, ...activeInEntities(codeOf(text))] };
};

const seenElsewhere = (body: unknown): Seen => {
  const { text, blocks } = SlackBody.parse(body);
  expect(blocks).toBeUndefined();
  return seenInText(codeOf(text));
};

const readers = [
  { host: "discord.com", url: discordUrl, read: seenInDiscord, backtick: "`" },
  { host: "hooks.slack.com", url: slackUrl, read: seenInSlack, backtick: "`" },
  { host: "hooks.test.example", url: otherUrl, read: seenElsewhere, backtick: "'" },
] as const;

const bodyFor = (url: string, message: Message): unknown => chatPost(new URL(url), message).body;

/** Each is markup, a mention or a link on some platform. */
const markup = [
  "@everyone @here @channel @all",
  "<@123> <@!123> <@&123> <#123> <!channel> <!here> <!everyone> <!subteam^S1> <@U1|name> </deploy:1>",
  "<:smile:1> <a:smile:1> <t:1700000000:R> <id:customize> <+15550100> <a@b.example>",
  "**bold** __under__ ~~strike~~ ||spoiler|| *i* _i_ ~s~ `code` ```block```",
  "# heading ## two -# small > quote >>> quotes - item * item 1. item",
  "[text](https://evil.example) <https://evil.example|text> <https://evil.example>",
  "https://evil.example http://evil.example www.evil.example steam://x discord://x mailto:a@b.example",
  "&lt;!channel&gt; &amp;lt; \\<@1> \\\\@here \\`x\\`",
  "``` ends\n```",
];

const messageOf = (texts: readonly string[]): Message => {
  const [title = "", ...lines] = texts;
  return { ...lag, title: `Alert ${title}`, lines: lines.length > 0 ? lines : ["."] };
};

describe("what a chat is shown", () => {
  it("[OUR-DLV-10] Discord gets an embed with mentions switched off, at the webhook's own address", () => {
    for (const [url, target] of [
      [discordUrl, discordUrl],
      ["https://discord.com/api/webhooks/1/abc/slack?thread_id=2", `${discordUrl}?thread_id=2`],
      [
        "https://ptb.discord.com/api/v10/webhooks/1/abc/github/",
        "https://ptb.discord.com/api/v10/webhooks/1/abc",
      ],
      ["https://discordapp.com./api/webhooks/1/abc", "https://discordapp.com./api/webhooks/1/abc"],
    ] as const) {
      const post = chatPost(new URL(url), lag);
      expect(post.url.href).toBe(target);
      expect(post.body).toEqual({
        embeds: [
          {
            title: "Low TPS on Lobby",
            description: "TPS 14\\.2\\, below 18 for 5 minutes\\.\nSince 14\\:02 UTC\\.",
            color: 0xd6_33_2c,
            url: lag.link,
          },
        ],
        allowed_mentions: { parse: [] },
      });
    }
    expect(bodyFor("https://notdiscord.com/api/webhooks/1/abc", lag)).not.toHaveProperty("embeds");
  });

  it("[OUR-DLV-10] Slack gets blocks of plain text, others the same text in a code block", () => {
    const text =
      "```\n🔴 Low TPS on Lobby\nTPS 14.2, below 18 for 5 minutes.\nSince 14:02 UTC.\n```\n<https://tickmark.example/servers/1?tab=alerts>";
    const common = { text, unfurl_links: false, unfurl_media: false };
    expect(bodyFor(otherUrl, lag)).toEqual(common);
    expect(bodyFor(slackUrl, lag)).toEqual({
      ...common,
      blocks: [
        {
          type: "section",
          text: {
            type: "plain_text",
            text: "🔴 Low TPS on Lobby\nTPS 14.2, below 18 for 5 minutes.\nSince 14:02 UTC.",
            emoji: false,
          },
        },
        {
          type: "section",
          text: { type: "mrkdwn", text: "<https://tickmark.example/servers/1?tab=alerts>", verbatim: true },
        },
      ],
    });
    expect(bodyFor(slackUrl, { ...lag, link: null })).not.toHaveProperty("blocks.1");
    expect(bodyFor(otherUrl, { ...lag, link: null })).toHaveProperty("text", text.split("\n<")[0]);
  });

  it.each(readers)("[OUR-DLV-10] nothing is markup to $host, and all of it is readable", (reader) => {
    for (const text of markup) {
      const seen = reader.read(bodyFor(reader.url, messageOf([text, text, text])));
      const shown = text.replaceAll("`", reader.backtick);
      expect(seen.active).toEqual([]);
      expect([seen.title, ...seen.rest.split("\n")].join("\n")).toBe(
        [`Alert ${shown}`, shown, shown].join("\n"),
      );
    }
  });

  it.each(readers)("[OUR-DLV-10] what is too long for $host is cut where it can be seen", (reader) => {
    for (const text of ["x", "*", "<", "`", "\\", "\u{1f600}", "a&"]) {
      for (const length of [127, 128, 255, 256, 257, 1499, 3001, 10_000]) {
        const long = text.repeat(length);
        // The schemas the readers parse with hold each platform's limits.
        const seen = reader.read(bodyFor(reader.url, { ...lag, title: long, lines: [long] }));
        expect(seen.active).toEqual([]);
        const original = long.replaceAll("`", reader.backtick);
        for (const shown of [seen.title, seen.rest].filter((part) => part !== "")) {
          const isWhole = shown === original;
          expect(isWhole || (shown.endsWith("…") && original.startsWith(shown.slice(0, -1)))).toBe(true);
        }
      }
    }
  });
});

describe("what a chat is really sent", () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  const { send } = notifier({
    smtpUrl: null,
    baseUrl,
    mailFrom: { name: "", address: "tickmark@localhost" },
    reach: { resolve: async () => ["127.0.0.1"], isAllowed: () => true, authority: certificate },
  });

  /** Sends every text once in a title or a line, and reads what arrived. */
  const deliver = async (texts: readonly string[], each: number) => {
    let active = 0;
    let arrived = 0;
    for (const { host, url, read } of readers) {
      receiver.received.length = 0;
      const target = new URL(url);
      target.port = String(receiver.port);
      const messages: Message[] = [];
      for (let at = 0; at < texts.length; at += each) messages.push(messageOf(texts.slice(at, at + each)));
      // An answer has to come within three seconds, also on a busy machine.
      const width = 4;
      for (let at = 0; at < messages.length; at += width) {
        const batch = messages.slice(at, at + width);
        const results = await Promise.all(batch.map((message) => send("chat", target.href, message, "1")));
        for (const result of results) expect(result).toEqual({ status: "sent" });
      }
      for (const { body, headers } of receiver.received) {
        expect(headers.host).toBe(`${host}:${receiver.port}`);
        active += read(body).active.length;
      }
      arrived += receiver.received.length;
    }
    return { active, arrived };
  };

  it("[OUR-DLV-10] [OUR-DLV-14] texts made for breaking out mention nobody and start no line", async () => {
    const texts = [...markup, ...reportedStrings];
    const { active, arrived } = await deliver(texts, 1);
    console.log(
      `chat: ${texts.length} hostile texts, ${arrived} messages: mentions, links, formats: ${active}`,
    );
    expect(active).toBe(0);
    receiver.received.length = 0;
    const forged = { ...lag, title: "One\nTwo\r\u2028Three\u0085", lines: ["a\n\nb\tc", "d"] };
    await send("chat", `https://discord.com:${receiver.port}/api/webhooks/1/abc`, forged, "1");
    expect(seenInDiscord(receiver.received[0]?.body)).toMatchObject({
      title: "One Two Three",
      rest: "a b c\nd",
    });
  });

  it.skipIf(!hasCorpus)("[OUR-DLV-10] no recorded text mentions anybody", async () => {
    const texts = attacksFor("chat").map((text) => neutralise(text, 200).text);
    const { active, arrived } = await deliver(texts, 6);
    console.log(
      `chat: ${texts.length} recorded texts for ${readers.length} platforms, ${arrived} messages arrived: mentions, links, formats: ${active}`,
    );
    expect(active).toBe(0);
    expect(arrived).toBe(Math.ceil(texts.length / 6) * readers.length);
  });
});
