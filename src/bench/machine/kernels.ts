import { readFileSync } from "node:fs";
import { builtFile } from "../../program/program-files.ts";
import { HostRefusal } from "./host-refusal.ts";

/** Exports of `src/bench/kernels/cpu.ts`. */
export interface CpuKernel {
  /** Starts from the same state each time, and returns a checksum. */
  work(rounds: number): number;
}

/** Exports of `src/bench/kernels/memory.ts`; addresses and sizes are multiples of 64 bytes. */
export interface MemoryKernel {
  read(from: number, bytes: number): bigint;
  write(to: number, bytes: number, value: bigint): void;
  copy(to: number, from: number, bytes: number): void;
  /** Makes one random cycle of lines of 64 bytes. */
  linkLines(from: number, lines: number, seed: bigint): void;
  /** Returns where the cycle leads after `hops`, a multiple of 8. */
  chase(from: number, hops: number): number;
}

const pageBytes = 65_536;

/** Page-aligned. Null if there is not enough memory. */
export function memoryOf(bytes: number): WebAssembly.Memory | null {
  const pages = Math.ceil(bytes / pageBytes);
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function start<Kernel>(name: string, memory: WebAssembly.Memory): Kernel {
  try {
    const module = new WebAssembly.Module(readFileSync(builtFile(`kernels/${name}.wasm`)));
    return new WebAssembly.Instance(module, { env: { memory } }).exports as Kernel;
  } catch (error) {
    // A processor without vector instructions, or an engine without WebAssembly.
    if (error instanceof WebAssembly.CompileError) throw new HostRefusal("unsupported_platform");
    throw error;
  }
}

const cpuStateBytes = 4 * pageBytes;

export function startCpuKernel(): CpuKernel {
  const memory = memoryOf(cpuStateBytes);
  if (memory === null) throw new HostRefusal("memory_budget_refused");
  return start<CpuKernel>("cpu", memory);
}

export const startMemoryKernel = (memory: WebAssembly.Memory): MemoryKernel =>
  start<MemoryKernel>("memory", memory);
