import { essentialsxBgToKo } from "../../src/agent/ban-sentences/essentialsx-bg-ko.ts";
import { essentialsxLoToZh } from "../../src/agent/ban-sentences/essentialsx-lo-zh.ts";
import { libertyBans } from "../../src/agent/ban-sentences/libertybans.ts";
import { dice } from "../support/dice.ts";
import type { ToldAct } from "./moderation-lines.ts";

/** A sentence of a ban plugin with its parts in braces. */
export interface Template {
  readonly plugin: string;
  readonly language: string;
  readonly kind: string;
  readonly text: string;
}

/** Those that the agent knows. */
export const ownTemplates: readonly Template[] = [
  { plugin: "EssentialsX", byLanguage: { ...essentialsxBgToKo, ...essentialsxLoToZh } },
  { plugin: "LibertyBans", byLanguage: libertyBans },
].flatMap(({ plugin, byLanguage }) =>
  Object.entries(byLanguage).flatMap(([language, lines]) =>
    lines
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [kind = ""] = line.split(" ", 1);
        const text = line
          .slice(kind.length + 1)
          .replace("%b", "{by}")
          .replace("%p", "{player}")
          .replace("%a", "{address}")
          .replace("%t", "{time}")
          .replace("%r", "{reason}");
        return { plugin, language, kind, text };
      }),
  ),
);

export const filled = (text: string, by: string, player: string): string =>
  text
    .replace("{by}", by)
    .replace("{player}", player)
    .replace("{address}", "203.0.113.9")
    .replace("{time}", "6 days 23 hours")
    .replace("{reason}", "griefing");

/** What a plugin writes in front of its sentences, where it names itself. */
export const prefixOf = ({ plugin }: Template): string =>
  plugin === "LibertyBans" ? "LibertyBans » " : `[${plugin === "EssentialsX" ? "Essentials" : plugin}] `;

/** What the sentence says, by its own slots. */
export function rightOf({ kind, text }: Template): ToldAct {
  const type = kind === "ban" && text.includes("{time}") ? "tempban" : kind;
  return {
    type,
    player: text.includes("{player}") ? "Kim" : null,
    by: text.includes("{by}") ? "Sam" : "Console",
    reason: text.includes("{reason}") ? "griefing" : null,
  };
}

/** Lines with plugin, language, kind and sentence between tabs. */
export const templatesIn = (text: string): readonly Template[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [plugin = "", language = "", kind = "", words = ""] = line.split("\t");
      return { plugin, language, kind, text: words };
    });

/** Where chats, role-play, ranks, nicknames and other plugins put what a player wrote. */
const forms: readonly ((words: string) => string)[] = [
  (words) => words,
  (words) => `<Eve> ${words}`,
  (words) => `[Not Secure] <Eve> ${words}`,
  (words) => `[Member] Eve: ${words}`,
  (words) => `[G] [Admin] Eve » ${words}`,
  (words) => `* Eve ${words}`,
  (words) => `Eve ${words}`,
  (words) => `[Eve] ${words}`,
  (words) => `[Server] ${words}`,
  (words) => `[Essentials] ${words}`,
  (words) => `LibertyBans » ${words}`,
  (words) => `[Eve -> me] ${words}`,
  (words) => `[Eve: ${words}]`,
  (words) => `Eve issued server command: /msg Kim ${words}`,
  (words) => `Eve was slain by Zombie using [${words}]`,
];

const [authors, players] = [
  ["Sam", "[Owner] Sam", "Console"],
  ["Kim", "Eve", "Alex2"],
];

/** Each line that the plugins themselves print with these names, behind the head of a log's line. */
export const printedBy = (templates: readonly Template[]): ReadonlySet<string> =>
  new Set(
    templates.flatMap((template) =>
      authors.flatMap((by) =>
        players.flatMap((player) => {
          const words = filled(template.text, by, player);
          return [words, prefixOf(template) + words];
        }),
      ),
    ),
  );

const threads = [
  "Server thread/INFO",
  "Server thread/INFO",
  "Async Chat Thread - #0/INFO",
  "Craft Scheduler Thread - 7 - VentureChat/INFO",
  "Craft Scheduler Thread - 7 - LiteBans Chat/INFO",
  "Netty Epoll Server IO #1/INFO",
  "pool-12-thread-1/INFO",
];

/** So many lines of a log in which players write these sentences; the same at every run. */
export function imitations(templates: readonly Template[], count: number): readonly string[] {
  const random = dice(204);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  return Array.from({ length: count }, () => {
    const words = filled(pick(templates).text, pick(authors), pick(players));
    return `[11:00:18] [${pick(threads)}]: ${pick(forms)(words)}`;
  });
}
