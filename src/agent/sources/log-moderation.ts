import { playerName, rank } from "../ban-sentences/sentence.ts";
import { banCues, saidBySentence, type BanCues } from "../ban-sentences/sentences.ts";
import type { LogLine } from "./log-line.ts";
import { withoutAddresses } from "./without-addresses.ts";
import { isOfBanPlugin, isOwn, mayTellActs } from "./log-origin.ts";

export interface Moderation {
  readonly type: "ban" | "tempban" | "ip_ban" | "kick" | "mute" | "unban";
  /** Null if it is about an address, which never leaves the machine. */
  readonly player: string | null;
  readonly by: string;
  readonly reason: string | null;
  /** True if only the server can have written the line, and not a player in a chat with unusual names. */
  readonly isVerified: boolean;
}

const name = `(${playerName})`;
const address = String.raw`[\w.:*%]{1,60}`;

/** Plugins that write their name in front; `/say` can put any player's name there. */
const pluginPrefix =
  /^(?:\[(LiteBans|BanManager|AdvancedBan|MaxBans|Essentials|EssentialsX|CMI|LibertyBans)\]|(LibertyBans|AdvancedBan) »):? /;

/** Excludes the death of a player called `Unbanned`: `Unbanned died`. */
const died = String.raw`(?!died$|drowned$)`;
/** Excludes lines about a player whose name ends in a colon, which was possible before 1.19. */
const reason = String.raw`(?!\(\/|lost connection: |joined the game$|left the game$)(.{0,300})`;

type Words = readonly [
  pattern: RegExp,
  made: (...groups: (string | undefined)[]) => Omit<Moderation, "by" | "isVerified"> & { by?: string },
];

/** The sentence's full stop is no part of the reason, nor are the buttons of a chat. */
const trimmed = (reason: string | undefined): string | undefined =>
  reason?.replace(/(?: \[(?:Info|Unban|Unmute)\]){1,3}$/, "").replace(/\.$/, "");

const act = (
  type: Moderation["type"],
  player: string | undefined,
  reason: string | undefined,
  by?: string,
) => ({
  type,
  player: player ?? null,
  reason: reason?.trim() || null,
  ...(by !== undefined && { by }),
});

const verbs: Readonly<Record<string, Moderation["type"]>> = {
  banned: "ban",
  tempbanned: "tempban",
  "temp-banned": "tempban",
  "IP banned": "ip_ban",
  "IP-banned": "ip_ban",
  kicked: "kick",
  muted: "mute",
  unbanned: "unban",
};
const verb = String.raw`(?:permanently )?(temporarily )?(banned|tempbanned|temp-banned|IP banned|IP-banned|kicked|muted|unbanned)`;

function typeOf(verb: string | undefined, isTemporary: boolean): Moderation["type"] {
  const type = verbs[verb ?? ""] ?? "ban";
  return type === "ban" && isTemporary ? "tempban" : type;
}

/** The game itself, since 1.13 and before. */
const gameWords: readonly Words[] = [
  [
    new RegExp(`^Banned IP (?:address )?${address} belonging to ${name}$`),
    (player) => act("ip_ban", player, undefined),
  ],
  [
    new RegExp(`^Banned IP (?:address )?${address}(?:: (.{0,300}))?$`),
    (reason) => act("ip_ban", undefined, reason),
  ],
  [new RegExp(`^Banned player ${name}$`), (player) => act("ban", player, undefined)],
  [new RegExp(`^Banned ${name}: ${reason}$`), (player, reason) => act("ban", player, reason)],
  [
    new RegExp(`^Kicked ${name} from the game(?:: '(.{0,300})')?$`),
    (player, reason) => act("kick", player, reason),
  ],
  [new RegExp(`^Kicked ${name}: ${reason}$`), (player, reason) => act("kick", player, reason)],
  [new RegExp(`^Unbanned IP (?:address )?${address}$`), () => act("unban", undefined, undefined)],
  [new RegExp(`^Unbanned (?:player )?${died}${name}$`), (player) => act("unban", player, undefined)],
];

const byAndWhy = String.raw` by ${rank}${name}(?:[,.:]? (?:for|because)(?: of|:)? (.{0,300}))?\.?$`;

/** LiteBans, BanManager, MaxBans and AdvancedBan with their default messages, behind `start`. */
const passiveWords = (start: string): readonly Words[] => [
  [
    new RegExp(
      String.raw`^${start}(?:Name )?${name} (?:was|has been|got) ${verb}(?: for .{1,80}?)?${byAndWhy}`,
    ),
    (player, temporarily, done, by, reason) =>
      act(typeOf(done, temporarily !== undefined), player, trimmed(reason), by),
  ],
  [
    new RegExp(
      String.raw`^${address}(?: - ${address})?(?: \([^)]{0,200}\))? ha(?:s|ve) been ${verb}(?: for .{1,80}?)?${byAndWhy}`,
    ),
    (_, done, by, reason) =>
      act(done === "banned" ? "ip_ban" : typeOf(done, false), undefined, trimmed(reason), by),
  ],
];
const plainWords = passiveWords("");
const rankedWords = passiveWords(rank);

/** In the languages of EssentialsX and LibertyBans. */
function saidInSentence(...said: Parameters<typeof saidBySentence>): ReturnType<Words[1]> | null {
  const found = saidBySentence(...said);
  if (found === null) return null;
  const { by, player, time, reason } = found.parts;
  const type = found.kind as Moderation["type"];
  // LibertyBans says for how long, also of a ban without an end.
  return act(type === "ban" && /\d/.test(time ?? "") ? "tempban" : type, player, reason, by);
}

function saidBy(words: readonly Words[], message: string): ReturnType<Words[1]> | null {
  for (const [pattern, made] of words) {
    const found = pattern.exec(message);
    if (found) return made(...found.slice(1));
  }
  return null;
}

/** A name, or the console's own form; ranks and nicknames with blanks come from chats. */
const operator = /^(?:\w{1,16}|[.*]\w{1,16}|@)$/;

/** An operator's act, shown to the console with the operator's name in front. */
const operatorMessage = /^\[([^\]:]{1,40}): (.{1,1500})\]$/;

/**
 * The act that a line tells, verified where a ban plugin or the server wrote it. The words alone prove nothing: a
 * rank `Banned` or `/me was banned by Anna` puts them into chat.
 */
export function moderationOf(line: LogLine): Moderation | null {
  const { message } = line;
  const cues = banCues(message);
  if (cues === null || !mayTellActs(line)) return null;
  const operatorLine = message.startsWith("[") ? operatorMessage.exec(message) : null;
  const byPlugin = isOfBanPlugin(line);
  const said = operatorLine ? saidBy(gameWords, operatorLine[2] ?? "") : saidFreely(message, cues, byPlugin);
  if (said === null) return null;
  const { by = operatorLine?.[1] ?? "Console", ...rest } = said;
  const isVerified = byPlugin || (operator.test(operatorLine?.[1] ?? "") && isOwn(line));
  return { ...rest, by, reason: rest.reason === null ? null : withoutAddresses(rest.reason), isVerified };
}

/** What stands in front of a name is a rank only where no player can have begun the line. */
function saidFreely(message: string, cues: BanCues, byPlugin: boolean): ReturnType<Words[1]> | null {
  const prefix = pluginPrefix.exec(message);
  const named = prefix?.[1] ?? prefix?.[2] ?? null;
  const plugin = named === "EssentialsX" ? "Essentials" : named;
  const inner = prefix ? message.slice(prefix[0].length) : message;
  const mayBeRanked = byPlugin || prefix !== null;
  const ofGame = cues.isEnglish && prefix === null ? saidBy(gameWords, inner) : null;
  const passive = cues.isEnglish ? saidBy(mayBeRanked ? rankedWords : plainWords, inner) : null;
  return ofGame ?? passive ?? saidInSentence(inner, cues, plugin, mayBeRanked);
}

/** What AdvancedBan writes of an act in the lines below it. */
const furtherWhy = /^For the reason (.{0,300})$/;
const furtherTime = /^This player got (?:banned|muted) for .{1,80}$/;

/** The act with what the next line adds to it; null if the line is about something else. */
export function withNextLine(moderation: Moderation, message: string): Moderation | null {
  const why = furtherWhy.exec(message)?.[1];
  if (why !== undefined && moderation.reason === null)
    return { ...moderation, reason: withoutAddresses(trimmed(why) ?? "") || null };
  if (!furtherTime.test(message)) return null;
  return moderation.type === "ban" ? { ...moderation, type: "tempban" } : moderation;
}
