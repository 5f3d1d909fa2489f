import type { Message } from "../core/notice/message.ts";
import { shortened } from "./shortened.ts";

/** `url` may differ from the webhook's: some platforms have several addresses for one webhook. */
export interface ChatPost {
  readonly url: URL;
  readonly body: unknown;
}

/** The form depends on the host of the webhook. No text of the message acts as markup. */
export function chatPost(url: URL, message: Message): ChatPost {
  const host = url.hostname.replace(/\.$/, "");
  if (isOneOf(host, ["discord.com", "discordapp.com"])) return discordPost(url, message);
  return { url, body: slackBody(message, isOneOf(host, ["slack.com", "slack-gov.com"])) };
}

const isOneOf = (host: string, domains: readonly string[]): boolean =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`));

type Escape = (character: string) => string;

/** RGB, as Discord expects it. */
const colours = { bad: 0xd6_33_2c, good: 0x2e_9e_4f, info: 0x5b_6b_7b };
/** Discord's limits of an embed's title and description, characters. */
const discordLimits = { title: 256, description: 4096 };
/** Discord's addresses for messages in the form of Slack and GitHub; our messages have Discord's own form. */
const foreignForm = /\/(?:slack|github)\/?$/;

/**
 * All of Discord's markup begins with punctuation, including links (`https:`); a backslash makes punctuation
 * plain. Mentions are disabled separately.
 */
const discordEscape: Escape = (character) =>
  /[!-/:-@[-`{-~]/.test(character) ? `\\${character}` : character;

function discordPost(url: URL, { title, lines, link, tone }: Message): ChatPost {
  const target = new URL(url);
  target.pathname = url.pathname.replace(foreignForm, "");
  const embed = {
    title: shortened(title, discordLimits.title, discordEscape),
    ...(lines.length > 0 && {
      description: shortened(lines.join("\n"), discordLimits.description, discordEscape),
    }),
    color: colours[tone],
    ...(link !== null && { url: link }),
  };
  return { url: target, body: { embeds: [embed], allowed_mentions: { parse: [] } } };
}

/** Slack's limit of one text object, characters. */
const slackLimit = 3000;
const marks = { bad: "🔴", good: "🟢", info: "🔵" };

const slackEscapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const slackEscape: Escape = (character) => slackEscapes[character] ?? character;
/** A code block ends only at a backtick. */
const codeEscape: Escape = (character) => (character === "`" ? "'" : slackEscape(character));

/**
 * Slack shows blocks of plain text. Platforms that copied its form show `text`, each with its own markup; all
 * of them leave a code block as it is.
 */
function slackBody({ title, lines, link, tone }: Message, isSlack: boolean): unknown {
  const whole = [`${marks[tone]} ${title}`, ...lines].join("\n");
  const target = link === null ? "" : `<${link.replaceAll(/[<>|`\s]/g, encodeURIComponent)}>`;
  const text = `\`\`\`\n${shortened(whole, slackLimit, codeEscape)}\n\`\`\`${target && `\n${target}`}`;
  const sent = { text, unfurl_links: false, unfurl_media: false };
  if (!isSlack) return sent;
  const section = (text: object) => ({ type: "section", text });
  const blocks = [
    section({ type: "plain_text", text: shortened(whole, slackLimit, slackEscape), emoji: false }),
    ...(target ? [section({ type: "mrkdwn", text: target, verbatim: true })] : []),
  ];
  return { ...sent, blocks };
}
