import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { hiddenFromServices, whyNotRunnable } from "../../src/linux/unit-program.ts";
import { confinedBy, startConfined, unitOf, whyNotConfined } from "../support/confined-unit.ts";
import { freePort } from "../support/free-port.ts";
import { until } from "../support/service-process.ts";

const skipped = whyNotConfined();
// A unit shows nothing of /tmp: the prefix is where a system keeps programs.
const prefix = skipped === null ? mkdtempSync("/opt/tickmark-test-") : "";
afterAll(() => rmSync(prefix, { recursive: true, force: true }));

const modules = (): string => join(prefix, "lib/node_modules/tickmark/node_modules");

/** Puts what `npm install --global tickmark-….tgz` puts into a prefix; the dependencies are shown where npm has them. */
function install(): string {
  chmodSync(prefix, 0o755);
  const packed = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", prefix], {
    encoding: "utf8",
  });
  const [made] = JSON.parse(packed) as { filename: string }[];
  mkdirSync(modules(), { recursive: true });
  const target = resolve(modules(), "..");
  execFileSync("tar", [
    "-xzf",
    join(prefix, made?.filename ?? ""),
    "--strip-components=1",
    "--no-same-owner",
    "-C",
    target,
  ]);
  mkdirSync(join(prefix, "bin"));
  const link = join(prefix, "bin/tickmark");
  symlinkSync("../lib/node_modules/tickmark/dist/main.js", link);
  chmodSync(link, 0o755);
  return link;
}

describe.skipIf(skipped !== null)("installed for all users", () => {
  it("[OUR-OPS-20] the unit's own command serves as its user, under its own restrictions, from the packed file", async () => {
    const program = install();
    const shown = [resolve("node_modules"), modules()] as const;
    // The command is asked as root, from a folder that only root may enter, as an operator does.
    const printed = spawnSync(
      "unshare",
      [
        "--mount",
        "sh",
        "-c",
        'mount --bind "$1" "$2" && shift 2 && exec "$@"',
        "sh",
        ...shown,
        process.execPath,
        program,
        "unit",
        "--user",
        "nobody",
      ],
      { encoding: "utf8", cwd: "/root" },
    );
    expect([printed.stderr, printed.status]).toEqual(["", 0]);
    const unit = unitOf(printed.stdout);
    expect(unit.command.slice(1)).toEqual([join(prefix, "lib/node_modules/tickmark/dist/main.js"), "serve"]);
    console.log(`confined by: ${confinedBy.done}\nleft out here: ${confinedBy.leftOut}`);

    const port = await freePort();
    const confined = { unit, shown, folder: prefix, settings: { TICKMARK_PORT: String(port) } };
    const limits = startConfined(confined, [
      "sh",
      "-c",
      'id -u; ls /root /home; touch /etc/x /usr/x "$0"/x; grep NoNewPrivs /proc/self/status',
      prefix,
    ]);
    expect(await limits.ended).toBe(0);
    expect(limits.lines).toContain("65534");
    expect(limits.lines.filter((line) => /denied|Read-only/.test(line)).length).toBeGreaterThanOrEqual(4);

    const { child, lines, ended } = startConfined(confined);
    const page = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    await until(
      "it answers",
      async () => (await page("/readyz").catch(() => 0)) === 200 || child.exitCode !== null,
    );
    expect(await page("/set-up")).toBe(200);
    // `unshare` forks, and what it forks becomes the service.
    const served = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim();
    const of = (path: string): string => join("/proc", served, "root", unit.stateFolder, path);
    expect(readFileSync(of("set-up-code"), "utf8")).toMatch(/^[A-Z0-9-]+\n$/);
    const modes = execFileSync(
      "stat",
      ["-c", "%a %U", of("tickmark.db"), of("tickmark.db.secret"), of("set-up-code")],
      { encoding: "utf8" },
    );
    expect(modes.trim().split("\n")).toEqual(["600 nobody", "600 nobody", "600 nobody"]);
    process.kill(Number(served), "SIGTERM");
    expect(await ended, lines.join("\n")).toBe(0);
  });

  it("[OUR-OPS-20] a unit is refused for a program that its user could not run, with the reason and the way", () => {
    const home = mkdtempSync("/root/tickmark-test-");
    try {
      const main = "dist/main.js";
      mkdirSync(join(home, "prefix"));
      execFileSync("cp", ["-r", "dist", "package.json", join(home, "prefix")]);
      symlinkSync(resolve("node_modules"), join(home, "prefix/node_modules"));
      const refused = spawnSync(process.execPath, [join(home, "prefix", main), "unit"], { encoding: "utf8" });
      expect(refused).toMatchObject({ status: 1, stdout: "" });
      expect(refused.stderr).toMatch(
        new RegExp(
          `^The user tickmark of the unit could not run ${home}/prefix/${main}: the unit shows its user nothing of /root\\. Install it for all users: npm pack, then as root npm install --global [^\\n]*\\n$`,
        ),
      );
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});

describe("whether a unit's user can run a program", () => {
  const folder = mkdtempSync("/dev/shm/tickmark-runnable-");
  afterAll(() => rmSync(folder, { recursive: true }));
  const [me, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const inFolder = (mode: number): string => {
    chmodSync(folder, mode);
    return join(folder, "main.js");
  };
  execFileSync("sh", ["-c", 'echo > "$0"/main.js && chmod 644 "$0"/main.js', folder]);
  const someone = { uid: 65_533, groups: [65_533] };

  it("[OUR-OPS-20] hidden folders and rights decide, for owners, their groups and others", () => {
    for (const path of ["/root/a/main.js", "/home/me/main.js", "/tmp/main.js", "/run/user/1000/main.js"])
      expect(whyNotRunnable(path, null, hiddenFromServices)).toMatch(
        /^the unit shows its user nothing of \//,
      );
    expect(whyNotRunnable(inFolder(0o700), someone, hiddenFromServices)).toBe(
      `its user may not enter the folder ${folder}`,
    );
    expect(whyNotRunnable(inFolder(0o700), null, hiddenFromServices)).toContain("may not enter");
    expect(whyNotRunnable(inFolder(0o700), { uid: me, groups: [] }, [])).toBeNull();
    expect(whyNotRunnable(inFolder(0o750), { uid: 65_533, groups: [group] }, [])).toBeNull();
    expect(whyNotRunnable(inFolder(0o755), someone, hiddenFromServices)).toBeNull();
    chmodSync(join(folder, "main.js"), 0o600);
    expect(whyNotRunnable(inFolder(0o755), someone, [])).toBe(`its user may not read ${folder}/main.js`);
  });
});
