import { expect, it } from "vitest";
import { matchesEvent, eventPresets } from "../../src/core/alert/event-rule.ts";
import { logReader } from "../../src/agent/sources/log-reader.ts";
import { logStory } from "../../src/agent/sources/log-story.ts";
import { dice } from "../support/dice.ts";
import { isLong } from "../support/long.ts";

const someDay = Date.UTC(2026, 10, 20);

function eventsOf(lines: readonly string[]) {
  const reader = logReader();
  for (const line of lines) reader.take(line);
  const story = logStory();
  for (const found of reader.found(someDay, Infinity)) story.take(found);
  return (story.reading("now").events ?? []).filter(({ category }) => category === "moderation");
}
type Told = ReturnType<typeof eventsOf>[number];

const bans = {
  preset: "bans",
  eventTypes: eventPresets.bans,
  categories: [],
  minSeverity: null,
  sources: [],
} as const;
const everything = { ...bans, preset: null, eventTypes: [] } as const;
const isAlert = (event: Told, rule: Parameters<typeof matchesEvent>[0]): boolean =>
  matchesEvent(rule, event, { serverStopWithin10Min: false });
const isVerified = ({ metadata }: Told): boolean =>
  !(typeof metadata === "object" && metadata !== null && "unverified" in metadata);

const acts = ["banned", "temporarily banned", "tempbanned", "IP-banned", "kicked", "muted", "unbanned"];
const reasons = ["x-ray", "spam and 203.0.113.7", "griefing (spawn)", "hello there", "'lag'"];
const names = ["Eve", "Alex", "Griefer42", ".Bedrock_1", "Notch"];
/** Ranks and nicknames that admins and players choose, with blanks. */
const ranks = [
  "Banned",
  "Kicked",
  "Unbanned",
  "Banned player",
  "Unbanned player",
  "Player",
  "[LiteBans]",
  "[Admin]",
  "Head Admin",
  "",
];
const nicknames = [
  "Alex was banned by Anna",
  "Banned Alex",
  "Player Anna",
  "[LiteBans] Alex",
  "Kicked Alex",
  "Banned IP 203.0.113.7",
];
const heads = [
  "[Server thread/INFO]: ",
  "[Server thread/INFO] [net.minecraft.server.MinecraftServer/]: ",
  "[Server thread/INFO] [minecraft/MinecraftServer]: ",
  "[Server thread/INFO] [StyledChat/]: ",
  "[Server thread/INFO] [EssentialsChat/]: ",
  "[Async Chat Thread - #0/INFO]: ",
  "[Craft Scheduler Thread - 7 - VentureChat/INFO]: ",
  "[Craft Scheduler Thread - 7 - LiteBans Chat/INFO]: ",
  "[Netty Epoll Server IO #1/INFO]: ",
  "[pool-12-thread-1/INFO]: ",
];

/** A line of chat, of a role-play command or of a nickname that imitates a moderation. */
function imitation(random: () => number): string {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const [name, other, act, reason, rank] = [pick(names), pick(names), pick(acts), pick(reasons), pick(ranks)];
  const ending = pick([` for ${reason}`, `, for ${reason}`, ` because ${reason}`, ": " + reason, "", "."]);
  const words = pick([
    `was ${act} by ${other}${ending}`,
    `has been ${act} by ${other}${ending}`,
    `${act} ${other} for: ${reason}`,
    `temporarily banned ${other} for 7 days: ${reason}`,
    `banned IP address 203.0.113.7 for: ${reason}`,
    `: ${reason}`,
    `${other} from the game: '${reason}'`,
    `Banned ${other}: ${reason}`,
    `[${other}: Banned ${name}: ${reason}]`,
    reason,
  ]);
  const nickname = pick([...nicknames, name]);
  const said = pick([
    `${nickname} ${words}`,
    `${rank} ${name}: ${words}`,
    `${rank} ${name} ${words}`,
    `${rank} ${nickname}: ${words}`,
    `* ${nickname} ${words}`,
    `<${rank} ${name}> ${words}`,
    `[${rank}] ${name}: ${words}`,
    `[${rank} ${name}: ${words}]`,
    `[Head Admin ${name}: Banned ${other}: ${reason}]`,
    `${rank === "" ? "Head Admin" : rank} ${words}`,
    `[Not Secure] ${nickname} ${words}`,
  ]);
  return `[11:00:18] ${pick(heads)}${said.trim()}`;
}

it("[OUR-AGG-37] no chat line that imitates a moderation is verified, and none raises an alert", () => {
  const random = dice(37);
  const count = isLong ? 120_000 : 4000;
  let told = 0;
  const wrong: string[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const line = imitation(random);
    for (const event of eventsOf([line])) {
      told += 1;
      if (isVerified(event) || isAlert(event, bans) || isAlert(event, everything)) wrong.push(line);
    }
  }
  console.log(`hostile moderation: ${count} lines, ${told} events, ${wrong.length} verified or an alert`);
  expect(wrong.slice(0, 5)).toEqual([]);
  // Imitations that are told at all show that the words were met.
  expect(told).toBeGreaterThan(count / 50);
});

it.each([
  ["[Server thread/INFO]: [Anna: Banned Griefer42: griefed spawn]", "ban"],
  ["[Server thread/INFO]: [Anna: Kicked Griefer42 from the game: 'spam']", "kick"],
  ["[Server thread/INFO] [net.minecraft.server.MinecraftServer/]: [Server: Unbanned Griefer42]", "unban"],
  ["[Craft Scheduler Thread - 12 - LiteBans/INFO]: Griefer42 was banned by Anna for x-ray", "ban"],
  ["[Craft Scheduler Thread - 3 - AdvancedBan/INFO]: [AdvancedBan] Griefer42 was muted by Anna", "mute"],
  ["[Server thread/INFO] [Essentials]: Player Anna banned Griefer42 for: x-ray", "ban"],
])("[OUR-AGG-37] what only the server writes is verified: %s", (line, type) => {
  const [event] = eventsOf([`[11:00:18] ${line}`]);
  expect(event?.type).toBe(type);
  expect(event && isVerified(event)).toBe(true);
  expect(event && isAlert(event, everything)).toBe(true);
});

it("[OUR-AGG-37] [OUR-ALR-67] words alone are told as unverified; a rule that names the source takes them", () => {
  const [event] = eventsOf(["[11:00:18] [Server thread/INFO]: Banned Griefer42: x-ray"]);
  expect(event).toMatchObject({ type: "ban", metadata: { player: "Griefer42", unverified: true } });
  if (!event) return;
  expect(isAlert(event, bans)).toBe(false);
  expect(isAlert(event, { ...bans, sources: ["tickmark-agent"] })).toBe(true);
  expect(isAlert({ ...event, source: "LiteBans" }, bans)).toBe(false);
});
