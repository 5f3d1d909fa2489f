import { describe, expect, it } from "vitest";
import { serviceSettings } from "../../src/app/config/known-settings.ts";
import { runBuilt, runCommand } from "../support/command-line.ts";
import { wrongSettings } from "./wrong-settings.ts";

const usable = { TICKMARK_SECRET: "0123456789abcdef", TICKMARK_DATABASE_URL: "sqlite::memory:" };

describe("a wrong setting", () => {
  it.each(wrongSettings)("[OUR-CFG-01] [OUR-CFG-04] %s=%s", async (name, value, fault) => {
    const refused = await runCommand(["serve"], { ...usable, [name]: value });
    expect(refused).toMatchObject({ status: 2, stdout: "", lines: 1 });
    expect(refused.stderr.startsWith(`${name} `)).toBe(true);
    expect(refused.stderr).toMatch(fault);
    expect(refused.stderr).not.toContain("hidden");
  });

  it("[OUR-CFG-01] ends the real process with its line, without a stack", () => {
    const [[name, value]] = wrongSettings as [readonly [string, string, RegExp]];
    expect(runBuilt(["serve"], { ...usable, [name]: value })).toMatchObject({
      status: 2,
      stdout: "",
      lines: 1,
    });
  });

  it("[OUR-CFG-01] every setting with a form has a wrong value here", () => {
    // The file of the set-up code takes every path.
    const free = new Set(["TICKMARK_SETUP_CODE_FILE"]);
    const tried = new Set(wrongSettings.map(([name]) => name));
    expect(serviceSettings.filter((name) => !tried.has(name) && !free.has(name))).toEqual([]);
  });
});
