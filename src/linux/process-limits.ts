import { wholeNumber } from "./proc.ts";

/** Limits of a process (getrlimit(2)), bytes; null for no limit. */
export interface ProcessLimits {
  readonly addressBytes: number | null;
  readonly dataBytes: number | null;
  readonly fileBytes: number | null;
}

/** Reads the soft limits of `/proc/PID/limits`, which are those in force. */
export function parseProcessLimits(text: string): ProcessLimits {
  const limitOf = (name: string): number | null => {
    const line = text.split("\n").find((each) => each.startsWith(name)) ?? "";
    return wholeNumber(line.slice(name.length).trim().split(/\s+/)[0]);
  };
  return {
    addressBytes: limitOf("Max address space"),
    dataBytes: limitOf("Max data size"),
    fileBytes: limitOf("Max file size"),
  };
}
