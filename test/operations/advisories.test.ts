import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const script = fileURLToPath(new URL("../../.ci/advisories.mjs", import.meta.url));
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "tickmark-advisories-"))));
afterEach(() => rmSync(folder, { recursive: true }));

/** What the job writes where npm answers this: with every dependency, and with those of the service alone. */
function listed(all: string, shipped = all): { status: number | null; said: string; file: string } {
  writeFileSync(join(folder, "all"), all);
  writeFileSync(join(folder, "shipped"), shipped);
  const npm = `#!/bin/sh\ncase "$*" in *--omit=dev*) cat ${folder}/shipped ;; *) cat ${folder}/all ;; esac\nexit 1\n`;
  writeFileSync(join(folder, "npm"), npm);
  chmodSync(join(folder, "npm"), 0o755);
  const file = join(folder, "advisories.txt");
  const { status, stdout } = spawnSync(process.execPath, [script, file], {
    env: { PATH: `${folder}:/usr/bin:/bin:${dirname(process.execPath)}` },
    encoding: "utf8",
  });
  return { status, said: stdout, file: readFileSync(file, "utf8") };
}

const flaw = (severity: string, title: string) => ({
  severity,
  fixAvailable: severity === "high",
  via: [{ title, url: `https://advisories.example/${title}`, range: "<2.0.0" }],
});

describe("the nightly list of advisories", () => {
  it("[OUR-OPS-21] has the worst first, tells those of the service from those of the tests, and fails nothing", () => {
    const [soft, hard] = [flaw("low", "slow"), flaw("high", "open")];
    const through = { severity: "high", fixAvailable: true, via: ["hard"] };
    const answer = (vulnerabilities: object) => JSON.stringify({ vulnerabilities });
    const { status, said, file } = listed(answer({ soft, through, hard }), answer({ hard, through }));
    expect([status, said]).toEqual([
      0,
      expect.stringMatching(/^Known advisories: 2\. \(.*advisories\.txt\)\n$/),
    ]);
    expect(file.split("\n")).toEqual([
      "Known advisories: 2.",
      "high      service  hard <2.0.0: open.  A fixed version is there.  https://advisories.example/open",
      "low       tests    soft <2.0.0: slow.  There is no fixed version yet.  https://advisories.example/slow",
      "",
    ]);
  });

  it.each([
    ["no advisory", '{"vulnerabilities":{}}', "No dependency has a known advisory.\n"],
    ["a registry that refuses", '{"message":"405 Method"}', "The advisories are not known: 405 Method\n"],
    ["no JSON", "npm ERR!", "The advisories are not known: npm audit answered no JSON\n"],
    ["nothing", "", "The advisories are not known: npm audit answered no JSON\n"],
  ])("[OUR-OPS-21] says so of %s", (_, answer, expected) => {
    expect(listed(answer)).toMatchObject({ status: 0, file: expected });
  });
});
