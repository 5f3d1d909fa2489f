import { expect, it } from "vitest";
import { serversMeant } from "../../../src/core/server/server-name.ts";

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
  for (const text of ["", "Lob", "Lobby ", "null", "Café Night", id(9), "x".repeat(5000)])
    expect(meant(text)).toEqual([]);
});
