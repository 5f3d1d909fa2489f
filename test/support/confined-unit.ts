import { spawn, spawnSync } from "node:child_process";
import { realpathSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { hiddenFromServices, whyNotRunnable } from "../../src/linux/unit-program.ts";

const script = fileURLToPath(new URL("confined-unit.sh", import.meta.url));
const unshare = ["--mount", "--pid", "--ipc", "--fork", "--kill-child"];

/** Null where this user may start a unit as systemd would confine it; else the reason, which is printed. */
export function whyNotConfined(): string | null {
  const reason = reasonNotTo();
  if (reason === null) return null;
  console.warn(`\n!!! SKIPPED: a unit under its own restrictions, because ${reason}.\n`);
  return reason;
}

function reasonNotTo(): string | null {
  if (process.getuid?.() !== 0) return "these tests are not run by root";
  const hidden = whyNotRunnable(realpathSync(process.execPath), null, hiddenFromServices);
  if (hidden !== null) return `Node.js is not installed for all users: ${hidden}`;
  const { status, stderr, error } = spawnSync(
    "unshare",
    [...unshare, "setpriv", "--nnp", "mount", "--make-rprivate", "/"],
    {
      encoding: "utf8",
    },
  );
  return status === 0
    ? null
    : `unshare, setpriv and mount cannot be used (${error?.message ?? stderr.trim()})`;
}

/** What confines a unit here, and what only systemd does. */
export const confinedBy = {
  done: "ProtectSystem ProtectHome PrivateTmp PrivateDevices ProtectProc RemoveIPC StateDirectory UMask NoNewPrivileges CapabilityBoundingSet User Environment EnvironmentFile WorkingDirectory",
  leftOut:
    "SystemCallFilter RestrictAddressFamilies RestrictNamespaces RestrictRealtime RestrictSUIDSGID LockPersonality PrivateUsers ProtectClock ProtectHostname ProtectKernel*",
};

interface Unit {
  readonly command: readonly string[];
  readonly user: string;
  readonly stateFolder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The lines of a unit that say what is run, by whom, where and with what. */
export function unitOf(text: string): Unit {
  const line = (name: string): string => new RegExp(`^${name}=(.*)$`, "m").exec(text)?.[1] ?? "";
  return {
    // Words as `quotedForUnit` writes them.
    command: [...line("ExecStart").matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = ""]) =>
      word.replaceAll(/\\(.)/g, "$1").replaceAll("%%", "%").replaceAll("$$", "$"),
    ),
    user: line("User"),
    stateFolder: line("WorkingDirectory"),
    environment: Object.fromEntries(
      [...text.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
    ),
  };
}

interface Confined {
  readonly unit: Unit;
  /** What /etc/tickmark.env holds. */
  readonly settings: Readonly<Record<string, string>>;
  /** Where that file is written: a folder that is not hidden. */
  readonly folder: string;
  /** A folder that is shown at another place, read only. */
  readonly shown?: readonly [from: string, to: string];
}

/** Starts a command, or the unit's own, as the unit confines it. */
export function startConfined(
  { unit, settings, folder, shown = ["-", "-"] }: Confined,
  command: readonly string[] = unit.command,
) {
  const file = `${folder}/tickmark.env`;
  writeFileSync(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  const child = spawn(
    "unshare",
    [...unshare, "sh", script, unit.user, unit.stateFolder, file, ...shown, ...command],
    { env: { PATH: process.env["PATH"] ?? "", ...unit.environment }, stdio: ["ignore", "pipe", "pipe"] },
  );
  const abandon = (): void => void child.kill("SIGKILL");
  process.once("exit", abandon);
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => lines.push(line));
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", (status) => {
      process.off("exit", abandon);
      resolve(status);
    });
  });
  return { child, lines, ended };
}
