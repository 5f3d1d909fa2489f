export interface Moderation {
  readonly type: "ban" | "tempban" | "ip_ban" | "kick" | "mute" | "unban";
  /** Null if it is about an address, which never leaves the machine. */
  readonly player: string | null;
  readonly by: string;
  readonly reason: string | null;
  /** True if only the server can have written the line, and not a player in a chat with unusual names. */
  readonly isVerified: boolean;
}

const name = String.raw`([\w.*+-]{1,40})`;
const address = String.raw`[\w.:*%]{1,60}`;

/** Plugins that write their name in front; `/say` can put any player's name there. */
const plugin = String.raw`(?:\[(?:LiteBans|BanManager|AdvancedBan|MaxBans|Essentials|EssentialsX|CMI|LibertyBans)\] )?`;

/** Excludes the death of a player called `Unbanned`: `Unbanned died`. */
const died = String.raw`(?!died$|drowned$)`;
/** Excludes lines about a player whose name ends in a colon, which was possible before 1.19. */
const reason = String.raw`(?!\(\/|lost connection: |joined the game$|left the game$)(.{0,300})`;

type Words = readonly [
  pattern: RegExp,
  made: (...groups: (string | undefined)[]) => Omit<Moderation, "by" | "isVerified"> & { by?: string },
];

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
  "temporarily banned": "tempban",
  tempbanned: "tempban",
  "temp-banned": "tempban",
  "IP banned": "ip_ban",
  "IP-banned": "ip_ban",
  kicked: "kick",
  muted: "mute",
  "temporarily muted": "mute",
  unbanned: "unban",
};
const verb = String.raw`(banned|temporarily banned|tempbanned|temp-banned|IP banned|IP-banned|kicked|muted|temporarily muted|unbanned)`;

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

const pluginWords: readonly Words[] = [
  // EssentialsX.
  [
    new RegExp(`^Player ${name} banned IP address ${address}(?: for:? (.{0,300}))?$`),
    (by, reason) => act("ip_ban", undefined, reason, by),
  ],
  [
    new RegExp(`^Player ${name} temporarily banned ${name} for [^:]{1,80}(?:: (.{0,300}))?$`),
    (by, player, reason) => act("tempban", player, reason, by),
  ],
  [
    new RegExp(`^Player ${name} (banned|kicked|unbanned) ${name}(?: for:? (.{0,300}))?$`),
    (by, done, player, reason) => act(verbs[done ?? ""] ?? "ban", player, reason, by),
  ],
  // LiteBans, BanManager and AdvancedBan with their default messages.
  [
    new RegExp(
      String.raw`^${plugin}${name} (?:was|has been) ${verb} by ${name}(?:[,.]? (?:for|because) (.{0,300}))?\.?$`,
    ),
    (player, done, by, reason) => act(verbs[done ?? ""] ?? "ban", player, reason, by),
  ],
];

/** A name, or the console's own form; ranks and nicknames with blanks come from chats. */
const operator = /^(?:\w{1,16}|[.*]\w{1,16}|@)$/;

/** An operator's act, shown to the console with the operator's name in front. */
const operatorMessage = /^\[([^\]:]{1,40}): (.{1,1500})\]$/;

/**
 * `byPlugin`: a thread or logger of a ban plugin wrote the line; `byServer`: one of the server. The words
 * alone prove nothing: a rank `Banned` or `/me was banned by Anna` puts them into chat.
 */
export function moderationOf(
  message: string,
  { byPlugin, byServer }: { readonly byPlugin: boolean; readonly byServer: boolean },
): Moderation | null {
  if (!message.includes("anned") && !message.includes("icked") && !message.includes("muted")) return null;
  const operatorLine = operatorMessage.exec(message);
  const inner = operatorLine?.[2] ?? message;
  for (const [pattern, made] of operatorLine ? gameWords : [...gameWords, ...pluginWords]) {
    const found = pattern.exec(inner);
    if (!found) continue;
    const [, ...groups] = found;
    const { by = operatorLine?.[1] ?? "Console", ...rest } = made(...groups);
    const isVerified = byPlugin || (byServer && operator.test(operatorLine?.[1] ?? ""));
    return { ...rest, by, reason: rest.reason === null ? null : withoutAddresses(rest.reason), isVerified };
  }
  return null;
}

const ip4 = /\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?::\d{1,5})?/g;
const colons = /(?<![\w:])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,8}(?![\w:])/gi;
const home = /(home|Users)[/\\][^/\\\s:]{1,64}/g;

/** A time of day has two colons, and no `::`. */
const isAddress = (found: string): boolean =>
  found.length > 2 && (found.includes("::") || found.split(":").length > 4);

/** Replaces addresses of players, and names of people in paths. */
export const withoutAddresses = (text: string): string =>
  text
    .replace(ip4, "[address]")
    .replace(colons, (found) => (isAddress(found) ? "[address]" : found))
    .replace(home, "$1/[name]");
