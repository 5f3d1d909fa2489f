import { withoutParameters } from "./frame-name.ts";

/** A library's file, with what stands in it behind a dot: `libc.so.6.syscall`; a package called `so` is none. */
const inLibrary = /^(?:lib[^ /]*|[^./ ]+)\.(?:so|dll|dylib)(?:\.\d+){0,4}(?:\.|$)/i;

/** Whether a frame is machine code, which has no class: `native.vtable stub`, `JavaThread::run`, `__clock_nanosleep`. */
export function isMachineCode(frame: string): boolean {
  const name = withoutParameters(frame);
  return name.startsWith("native.") || !name.includes(".") || name.includes("::") || inLibrary.test(name);
}
