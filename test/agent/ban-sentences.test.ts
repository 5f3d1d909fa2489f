import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isLong } from "../support/long.ts";
import { sharedData } from "../support/shared-data.ts";
import {
  filled,
  imitations,
  ownTemplates,
  prefixOf,
  printedBy,
  rightOf,
  type Template,
} from "./ban-templates.ts";
import { inChat, moderationsOf, raised } from "./moderation-lines.ts";

/** Templates whose sentence is not read as it stands there. */
const misread = (
  templates: readonly Template[],
  by: string,
  player: string,
  prefix: (template: Template) => string = () => "",
): readonly string[] =>
  templates.flatMap((template) => {
    const line = `[17:00:00] [Server thread/INFO]: ${prefix(template)}${filled(template.text, by, player)}`;
    const found = moderationsOf([line]);
    return JSON.stringify(found) === JSON.stringify([rightOf(template)])
      ? []
      : [`${template.language} ${line} ${JSON.stringify(found)}`];
  });

describe("ban plugins in every language", () => {
  it("[OUR-AGG-204] each sentence is read with who, whom and why, without its full stop", () => {
    expect(misread(ownTemplates, "Sam", "Kim")).toEqual([]);
    expect(new Set(ownTemplates.map(({ language }) => language)).size).toBeGreaterThan(37);
  });

  it("[OUR-AGG-204] ranks in front of names hide none of them", () => {
    expect(misread(ownTemplates, "[Owner] Sam", "Kim", prefixOf)).toEqual([]);
    const apart = ownTemplates.filter(({ text }) => /(?:^| )\{player\}/.test(text));
    expect(misread(apart, "[Head Admin] Sam", "[Member] Kim", prefixOf)).toEqual([]);
    expect(apart.length).toBeGreaterThan(200);
  });

  it("[OUR-AGG-204] an address is never told, and a reason may hold what the sentence holds", () => {
    const [act] = moderationsOf([
      "[17:00:00] [Server thread/INFO]: Player Sam banned IP address 203.0.113.9 for: alt of 203.0.113.9.",
    ]);
    expect(act).toEqual({ type: "ip_ban", player: null, by: "Sam", reason: "alt of [address]" });
    const [kick] = moderationsOf([
      "[17:00:00] [Server thread/INFO]: [Essentials] Player Sam kicked Kim for banned for: no. really..",
    ]);
    expect(kick).toEqual({ type: "kick", player: "Kim", by: "Sam", reason: "banned for: no. really." });
  });
});

it("[OUR-AGG-204] [OUR-AGG-37] chat lines that imitate the sentences of all languages raise no alert", () => {
  const count = isLong ? 100_000 : 3000;
  const { told, alerts } = raised(imitations(ownTemplates, count));
  console.log(
    `imitated sentences: ${count} lines, ${told.length} events, ${alerts.length} verified or an alert`,
  );
  expect(alerts.slice(0, 5)).toEqual([]);
  expect(inChat(told, printedBy(ownTemplates)).slice(0, 5)).toEqual([]);
  // Imitations that are told at all show that the words were met.
  expect(told.length).toBeGreaterThan(count / 200);
});

describe("English sentences", () => {
  it.each([
    ["Alex got banned by CONSOLE", { type: "ban", by: "CONSOLE", reason: null }],
    ["Alex has been permanently banned by Sam for x-ray [Info] [Unban]", { type: "ban", reason: "x-ray" }],
    ["Alex has been temporarily banned for 6 days by Sam for x-ray [Info] [Unban]", { type: "tempban" }],
    [
      "Alex has been temporarily muted for 1 hour by Sam for spam [Info] [Unmute]",
      { type: "mute", reason: "spam" },
    ],
    ["Name Alex has been permanently banned by Sam for x-ray", { type: "ban", reason: "x-ray" }],
    ["Alex has been unbanned by Sam", { type: "unban" }],
    ["[LiteBans] [Admin] Alex was banned by [Owner] Sam for x-ray.", { type: "ban", reason: "x-ray" }],
    ["LibertyBans » Sam banned Alex for Infinite because of x-ray.", { type: "ban", reason: "x-ray" }],
    ["LibertyBans » Sam banned Alex for 7 days because of x-ray.", { type: "tempban", reason: "x-ray" }],
  ])("[OUR-AGG-204] %s", (message, right) => {
    const [act] = moderationsOf([`[17:00:00] [Server thread/INFO]: ${message}`]);
    expect(act).toMatchObject({ player: "Alex", by: "Sam", ...right });
  });

  it.each([
    ["203.0.113.9 (Alex, Kim) has been permanently banned by Sam for alts", "ip_ban"],
    ["203.0.113.0 - 203.0.113.255 have been banned by Sam", "ip_ban"],
    ["203.0.113.9 has been unbanned by Sam", "unban"],
  ])("[OUR-AGG-204] an address, which is not told: %s", (message, type) => {
    const acts = moderationsOf([`[17:00:00] [Server thread/INFO]: ${message}`]);
    expect(acts).toMatchObject([{ type, player: null, by: "Sam" }]);
    expect(JSON.stringify(acts)).not.toContain("203.0");
  });

  it.each([
    "Lee will be permanently banned by Console for griefing",
    "Sam is not banned.",
    "[Eve] Alex was banned by Sam for x-ray",
    "* Eve Alex was banned by Sam for x-ray",
    "[Server] Spieler Sam hat Alex wegen Grief gebannt.",
    "<Eve> Alex was banned by Sam for x-ray",
    "[Member] Eve: Alex was banned by Sam for x-ray",
    "Eve » Spieler Sam hat Alex wegen Grief gebannt.",
    "LibertyBans » Player Sam kicked Alex for spam.",
    "[Essentials] Sam hat Alex wegen Grief gekickt.",
    "[Essentials] Banned Alex: x-ray",
  ])("[OUR-AGG-204] this is no act: %s", (message) => {
    expect(moderationsOf([`[17:00:00] [Server thread/INFO]: ${message}`])).toEqual([]);
  });

  it.each([
    "[Async Chat Thread - #0/INFO]: ",
    "[Craft Scheduler Thread - 7 - VentureChat/INFO]: ",
    "[Craft Scheduler Thread - 7 - LiteBans Chat/INFO]: ",
    "[Craft Async Scheduler Thread - 7 - SomeRoles/INFO]: ",
    "[Server thread/INFO] [StyledChat/]: ",
    "[Server thread/INFO] [Roleplay/]: ",
  ])("[OUR-AGG-204] [OUR-AGG-37] chat and other plugins tell no act: %s", (head) => {
    const words = [
      "Player Sam banned Alex for: x-ray",
      "[LiteBans] Alex was banned by Sam",
      "Banned Alex: x",
    ];
    expect(moderationsOf(words.map((message) => `[17:00:00] ${head}${message}`))).toEqual([]);
  });

  it("[OUR-AGG-205] what AdvancedBan adds in the next lines belongs to the act", () => {
    const lines = [
      "Alex got banned by Sam",
      "For the reason griefing",
      "This player got banned for 7 day(s)",
      "For the reason nobody asked",
      "Kim got kicked by Sam",
    ].map((message) => `[17:00:00] [Server thread/INFO]: ${message}`);
    expect(moderationsOf(lines)).toEqual([
      { type: "tempban", player: "Alex", by: "Sam", reason: "griefing" },
      { type: "kick", player: "Kim", by: "Sam", reason: null },
    ]);
    const chat = [lines[0] ?? "", "[17:00:00] [Async Chat Thread - #0/INFO]: For the reason griefing"];
    expect(moderationsOf(chat)[0]?.reason).toBeNull();
  });
});

const recorded: readonly (readonly [string, readonly string[]])[] = [
  ["bans-advancedban.log", ["ban Alex", "kick Kim", "mute Kim", "unban Alex"]],
  ["bans-banmanager.log", ["ban Alex", "tempban Kim", "mute Kim"]],
  ["bans-essentialsx.log", ["mute Alex", "mute Alex", "ip_ban null", "ban Kim"]],
];
it.skipIf(sharedData("public/bans-essentialsx.log") === null).each(recorded)(
  "[OUR-AGG-204] [OUR-AGG-205] the recorded lines of %s",
  (name, right) => {
    const lines = readFileSync(sharedData(`public/${name}`) ?? "", "utf8").split("\n");
    const acts = moderationsOf(lines);
    expect(acts.map(({ type, player }) => `${type} ${player}`)).toEqual(right);
    const bans = acts.filter(({ type }) => type === "ban");
    expect(bans.map(({ reason }) => reason)).toEqual(["griefing"]);
  },
);
