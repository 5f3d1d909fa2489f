import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { listAnswer } from "../../src/agent/sources/rcon-answers.ts";
import { sharedData } from "../support/shared-data.ts";

it.each([
  ["There are 3 of a max of 20 players online: Griefer42, Alex, Steve", 3],
  ["There are 0 of a max of 20 players online: ", 0],
  ["There are 2/20 players online:\nAlex, Steve", 2],
  ["§6There are §c12§6 out of maximum §c100§6 players online.\n§6default§r: Alex", 12],
  ["There are 1 of a max 8 players online: Alex", 1],
])("[OUR-AGG-03] counts players and forgets their names: %s", (text, count) => {
  const answer = listAnswer(text);
  expect(answer).toEqual({ figures: [], playerCount: count });
  expect(JSON.stringify(answer)).not.toMatch(/Alex|Steve|Griefer/);
});

it.each([
  ["German", "§6Auf dem Server: §c3§6 von höchstens §c15§6.\n§6default§r: Alex2", 3],
  ["hidden ones behind a stroke", "§6Da: §c1§6/§c2§6 von höchstens §c20§6.", 1],
  ["hidden ones in brackets", "§6Mängijaid §c4§6 (§c1§6)/§c20§6.", 4],
  ["hidden ones between the two", "在線 §c4§6 人（隱身 §c1§6 人），最多 §c20§6 人。", 4],
  ["no blank before the number", "§6Hay§c0§6/§c1§6 de §c20§6 en línea.", 0],
  ["a stroke alone", "Pelaajia §c7§6 / §c20§6.", 7],
  ["Korean, the most first", "§6최대 §c20§6명 가능, §c2§6명 접속.", 2],
  ["Japanese, a colon before the most", "§c2§6 人が接続。最大: §c20", 2],
  ["a line end before it", "\nיש §c2§6 מתוך §c20§6.\n", 2],
])("[OUR-AGG-203] list of EssentialsX: %s", (_name, text, count) => {
  expect(listAnswer(text)).toEqual({ figures: [], playerCount: count });
});

it.each(["There are 31 of many: 20 is the most", "Page 2", "v1.20.1 of 2026", "§6Da: viele"])(
  "[OUR-AGG-203] what is no count of players is left to the ping: %s",
  (text) => {
    expect(listAnswer(text)).toBeNull();
  },
);

it.skipIf(sharedData("public/rcon-list-essentialsx-de.txt") === null).each([
  ["de", 0],
  ["hidden", 1],
])("[OUR-AGG-203] the recorded answer %s of list", (name, count) => {
  const text = readFileSync(sharedData(`public/rcon-list-essentialsx-${name}.txt`) ?? "", "utf8");
  expect(listAnswer(text)?.playerCount).toBe(count);
});
