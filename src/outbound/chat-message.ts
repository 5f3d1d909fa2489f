import type { Message } from "../core/notice/message.ts";
import { shortened } from "./shortened.ts";

/** The request to a chat platform and its address: some platforms have several addresses for one webhook. */
export interface ChatPost {
  readonly url: URL;
  readonly body: unknown;
}

/** The message in the form that the host of the webhook reads. No text in it acts as markup there. */
export function chatPost(url: URL, message: Message): ChatPost {
  const host = url.hostname.replace(/\.$/, "");
  if (isOneOf(host, ["discord.com", "discordapp.com"])) return discordPost(url, message);
  return { url, body: slackBody(message, isOneOf(host, ["slack.com", "slack-gov.com"])) };
}

const isOneOf = (host: string, domains: readonly string[]): boolean =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`));

type Escape = (character: string) => string;

/** RGB as Discord takes it. */
const colours = { bad: 0xd6_33_2c, good: 0x2e_9e_4f, info: 0x5b_6b_7b };
/** Characters; Discord's own limits of an embed's title and description. */
const discordLimits = { title: 256, description: 4096 };
/** Discord's addresses for the bodies of other services end so; ours is its own. */
const foreignForm = /\/(?:slack|github)\/?$/;

/**
 * Discord's markup begins with punctuation everywhere, links by themselves too (`https:`), and a backslash before
 * punctuation makes it a plain character. Mentions are switched off beside that.
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

/** Characters; Slack's limit of one text object. */
const slackLimit = 3000;
const marks = { bad: "🔴", good: "🟢", info: "🔵" };

const slackEscapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const slackEscape: Escape = (character) => slackEscapes[character] ?? character;
/** A code block ends at a backtick and nowhere else. */
const codeEscape: Escape = (character) => (character === "`" ? "'" : slackEscape(character));

/**
 * Slack shows blocks of plain text, in which nothing is markup. Platforms that took over only its form show `text`, each
 * with a markup of its own; a code block is what all of them leave as it is.
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
