import { runInGroup } from "../../../src/cli/command-group.ts";

/** A program for a process of its own, which runs one command as the runner does: `in-group COMMAND`. */
const [, , command = ""] = process.argv;
const ending = new AbortController();
process.once("SIGTERM", () => ending.abort());
process.once("SIGINT", () => ending.abort());
const run = { command, environment: process.env, signal: ending.signal, graceMs: 200 };
process.stdout.write(`${JSON.stringify(await runInGroup(run))}\n`);
