import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { freePort } from "../support/free-port.ts";
import { patienceMs } from "../support/patience.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-log-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A pipe of Linux holds 64 KiB, and the line of a request with this id is longer than 250 bytes. */
const longId = "a".repeat(64);
const requests = 600;

it(
  "[OUR-LOG-07] a reader of the log that stands still holds up no request, and gets every line in the end",
  async () => {
    const port = await freePort();
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    // Opened for reading without a wait, so that the other end can be opened.
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(pipe, "w");
    const child = spawn(process.execPath, ["dist/main.js", "serve"], {
      env: {
        PATH: process.env["PATH"] ?? "",
        TICKMARK_PORT: String(port),
        TICKMARK_DATABASE_URL: `sqlite:${join(folder, "log.db")}`,
        TICKMARK_SECRET: "a secret of this test",
        TICKMARK_LOG_FORMAT: "json",
      },
      stdio: ["ignore", writer, "inherit"],
    });
    closeSync(writer);
    const ended = once(child, "exit");
    const url = `http://127.0.0.1:${port}`;
    const isUp = () =>
      fetch(`${url}/livez`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isUp())) expect(child.exitCode).toBe(null);
    for (let sent = 0; sent < requests; sent += 50)
      for (const answer of await Promise.all(
        Array.from({ length: 50 }, () =>
          fetch(`${url}/api/v1/unknown`, { headers: { "x-request-id": longId } }),
        ),
      ))
        expect(answer.status).toBe(404);
    let text = "";
    const read = new Socket({ fd: reader, readable: true, writable: false });
    read.setEncoding("utf8").on("data", (piece: string) => (text += piece));
    child.kill("SIGTERM");
    await Promise.all([ended, once(read, "end")]);
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { msg: string });
    expect(lines.filter(({ msg }) => msg === "request")).toHaveLength(requests);
    expect(lines.at(-1)?.msg).toBe("closing");
  },
  4 * patienceMs,
);
