import { describe, expect, it } from "vitest";
import { serversMeant, serversNear } from "../../../src/core/server/server-name.ts";

const id = (last: number): string => `019a9f5e-1d00-7000-8000-00000000000${last}`;
const servers = [
  { id: id(1), name: "Lobby" },
  { id: id(2), name: "Ca\u0301fe \u200bNight" },
  { id: id(3), name: null },
  { id: id(4), name: "TWIN" },
  { id: id(5), name: "twin" },
  // Called as another is identified.
  { id: id(6), name: id(1) },
];
const meant = (text: string): number[] => serversMeant(servers, text).map((found) => Number(found.id.at(-1)));

it("[OUR-MCP-71] a name is compared whatever its case, as it is stored and as it is shown; an id wins", () => {
  expect(meant("lobby")).toEqual([1]);
  expect(meant("LOBBY")).toEqual([1]);
  expect(meant("C\u00e1fe \u200bnight")).toEqual([2]);
  expect(meant(String.raw`c` + "\u00e1" + String.raw`fe \u{200B}Night`)).toEqual([2]);
  expect(meant("Twin")).toEqual([4, 5]);
  expect(meant(id(1))).toEqual([1]);
  for (const text of ["", " ", "Lob", "null", "Café Night", id(9), "x".repeat(5000)])
    expect(meant(text)).toEqual([]);
});

it("[OUR-MCP-132] spaces around a name do not count, and the beginning of an id names the one that begins so", () => {
  expect(meant("Lobby ")).toEqual([1]);
  expect(meant("\tLOBBY\n")).toEqual([1]);
  const single = [{ id: "019b0000-1d00-7000-8000-000000000001", name: "Alone" }, ...servers];
  const begun = (text: string): (string | null)[] => serversMeant(single, text).map(({ name }) => name);
  expect(begun("019b0000")).toEqual(["Alone"]);
  expect(begun("019b0000-1d00")).toEqual(["Alone"]);
  // Too short, of several, of none, and a name that reads like an id goes first.
  expect(begun("019b000")).toEqual([]);
  expect(begun("019a9f5e")).toEqual([]);
  expect(begun("019c0000")).toEqual([]);
  expect(serversMeant([...single, { id: id(7), name: "019b0000" }], "019b0000")).toEqual([
    { id: id(7), name: "019b0000" },
  ]);
});

describe("[OUR-MCP-132] servers with a near name", () => {
  const named = (...names: (string | null)[]) => names.map((name, place) => ({ id: id(place), name }));
  const near = (text: string, ...names: (string | null)[]): (string | null)[] =>
    serversNear(named(...names), text).map(({ name }) => name);

  it("are those with few other letters, the nearest first, three at most", () => {
    expect(near("surival", "Skyblock", "Survival", "Survival 2", null)).toEqual(["Survival", "Survival 2"]);
    expect(near("SKYBLOKC", "Skyblock", "Lobby")).toEqual(["Skyblock"]);
    expect(near("creatve", "Creative 1", "Creative 2", "Creative", "Creative 3")).toHaveLength(3);
    expect(near("creatve", "Creative 1", "Creative 2", "Creative", "Creative 3")[0]).toBe("Creative");
  });

  it("are none for another word, and for text that is no name", () => {
    for (const text of ["attic", "", "x".repeat(500)]) expect(near(text, "Survival", "Lobby")).toEqual([]);
  });

  it("are found among thousands of names in little time", () => {
    const many = named(...Array.from({ length: 10_000 }, (_, place) => `Network server ${place}`));
    const from = process.cpuUsage();
    expect(serversNear(many, "network servr 12")).toHaveLength(3);
    const { user } = process.cpuUsage(from);
    expect(user / 1000).toBeLessThan(1000);
  });
});
