#!/usr/bin/env node
import { runCommandLine } from "./cli/program.ts";

// A reader that has seen enough (`| head -1`) closes the pipe; that ends us in order.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

await runCommandLine(process.argv);
