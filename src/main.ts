#!/usr/bin/env node
import { runCommandLine } from "./cli/program.ts";

// A reader such as `| head -1` closes the pipe early; that is a normal end.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

await runCommandLine(process.argv);
