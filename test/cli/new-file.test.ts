import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeFile } from "../../src/cli/new-file.ts";
import { progressOn, sizeOf } from "../../src/cli/progress.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tickmark-new-file-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = (): string => join(folder, "made");

it("[OUR-CLI-05] a file has its name only once all of it is written", async () => {
  const answer = await makeFile(path(), async (draft) => {
    writeFileSync(draft, "half");
    expect(readdirSync(folder)).toHaveLength(1);
    expect(readdirSync(folder)).not.toContain("made");
    writeFileSync(draft, "whole");
    return 1;
  });
  expect(answer).toBe(1);
  expect(readdirSync(folder)).toEqual(["made"]);
  expect(readFileSync(path(), "utf8")).toBe("whole");
});

it("[OUR-CLI-05] what fails leaves no file", async () => {
  const failing = makeFile(path(), async (draft) => {
    for (const ending of ["", "-wal", "-shm", "-journal"]) writeFileSync(`${draft}${ending}`, "half");
    throw new Error("no more");
  });
  await expect(failing).rejects.toThrow("no more");
  expect(readdirSync(folder)).toEqual([]);
});

it("[OUR-CLI-05] a file that came meanwhile stays as it is", async () => {
  const late = makeFile(path(), async (draft) => {
    writeFileSync(draft, "ours");
    writeFileSync(path(), "theirs");
  });
  await expect(late).rejects.toThrow(/exists already/);
  expect(readFileSync(path(), "utf8")).toBe("theirs");
  expect(readdirSync(folder)).toEqual(["made"]);
});

it("[OUR-CLI-05] a link that leads nowhere is a file that exists", async () => {
  symlinkSync(join(folder, "elsewhere"), path());
  await expect(makeFile(path(), async () => {})).rejects.toThrow(/exists already/);
});

it("[OUR-CLI-07] progress is one line on a terminal, taken away at the end, and nothing in a pipe", () => {
  const written: string[] = [];
  const stream = (isTTY: boolean) => ({ isTTY, write: (text: string) => written.push(text) > 0 });
  const piped = progressOn(stream(false));
  piped.tell("Copying: 10 %");
  piped.end();
  expect(written).toEqual([]);
  const shown = progressOn(stream(true));
  shown.tell("Copying: 10 %");
  shown.tell("Copying: 11 %");
  shown.end();
  expect(written).toEqual(["\rCopying: 10 %\u001B[K", "\r\u001B[K"]);
});

it.each([
  [0, "0 bytes"],
  [702, "702 bytes"],
  [1500, "1.5 kB"],
  [131_832_621, "132 MB"],
  [2e15, "2000 TB"],
])("[OUR-CLI-07] tells %i bytes as %s", (bytes, words) => {
  expect(sizeOf(bytes)).toBe(words);
});
