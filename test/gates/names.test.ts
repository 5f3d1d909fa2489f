import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { filesBelow, read } from "./sources.ts";

const folders = ["src", "tools", "resources"];
const files = [...filesBelow(folders, ".ts"), ...filesBelow(folders, ".tsx")];

/** What each file exports by a declaration of its own. */
const exported = files.flatMap((file) =>
  [
    ...read(file).matchAll(
      /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|interface|type|class|enum) (\w+)/gm,
    ),
  ].map(([, name = ""]) => ({ name, file })),
);

/** Words that had several meanings here, or none outside this project. Exact names: `planOf` is fine, `told` is not. */
const goneNames = new Set(
  (
    "Around Asked Asker Asking Character Courier Deed Desk Door Exchange Goes Heart Look Passage People Presence Presented Spot " +
    "OwnAsked Surrounding Surroundings Told Uplink " +
    "accountGoes addressDesk asked asker askerOf courier cutLists deed desk doorBackend fitted freeze headed heads markOf " +
    "noteDeed equip ownAsked passOn presented readSaid said serverGoes takeNews thaw told toldError toldOfArguments toldWindow"
  ).split(" "),
);

/** Files that were named with such words. */
const goneFiles = new Set(
  (
    "address-desk at-most character courier cut cuttable desk desk-completion desk-prompts desk-resources desk-session desk-tools " +
    "exchange fates fit fitted freeze frozen guess-guard heads heart http-news people presence surrounding surroundings thaw throttle told told-shares tries uplink weather windows wrongly-presented"
  ).split(" "),
);

/** Two of them are refused inside of a name too, as in `AskedAlerts` or `told-shares`. */
const insideNames = /(?:^|[a-z0-9])(?:Asked|Told)(?![a-z])|^(?:asked|told)(?![a-z])/;
const insideFiles = /(?:^|-)(?:asked|told)(?:-|$)/;

it("[OUR-ARC-03] one exported name has one meaning: it is declared in one file", () => {
  expect(exported.length).toBeGreaterThan(2000);
  const at = new Map<string, Set<string>>();
  for (const { name, file } of exported) at.set(name, (at.get(name) ?? new Set()).add(file));
  const twice = [...at].filter(([, places]) => places.size > 1);
  expect(Object.fromEntries(twice)).toEqual({});
});

it("[OUR-ARC-04] words of a private language name no file and no export", () => {
  expect(exported.filter(({ name }) => goneNames.has(name) || insideNames.test(name))).toEqual([]);
  const isGone = (name: string): boolean => goneFiles.has(name) || insideFiles.test(name);
  expect(files.filter((file) => isGone(basename(file).replace(/\.tsx?$/, "")))).toEqual([]);
});

it("[OUR-ARC-05] a folder of more than 15 files has a page of at most 15 lines that says what belongs there", () => {
  const all = ["ts", "tsx", "md"].flatMap((ending) => filesBelow(folders, `.${ending}`));
  const counts = new Map<string, number>();
  for (const file of all) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  const large = [...counts].filter(([, count]) => count > 15).map(([folder]) => folder);
  expect(large.length).toBeGreaterThan(10);
  expect(large.filter((folder) => !all.includes(`${folder}/README.md`))).toEqual([]);
  const pages = all.filter((file) => basename(file) === "README.md");
  expect(pages.filter((page) => read(page).trimEnd().split("\n").length > 15)).toEqual([]);
});

it("[OUR-ARC-05] what a folder's page names is there", () => {
  const missing: string[] = [];
  for (const page of filesBelow(folders, "README.md"))
    for (const [, path = ""] of read(page).matchAll(/`([\w./-]+(?:\/|\.tsx?|\.md))`/g)) {
      const from = dirname(page);
      if (![join(from, path), path].some((place) => existsSync(place))) missing.push(`${page}: ${path}`);
    }
  expect(missing).toEqual([]);
});
