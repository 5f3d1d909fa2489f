import { parseGcLine, type GcLine } from "./gc-lines.ts";

/** Totals over the lines of one GC log. */
export class GcTally {
  /** Heap right after the last collection, bytes. */
  liveBytes: number | null = null;
  #stoppedMs = 0;
  #lastPause: GcLine | null = null;
  #zCycles = false;
  #zPhases = false;

  add(line: string): void {
    const said = parseGcLine(line);
    this.liveBytes = said.afterBytes ?? this.liveBytes;
    this.#zCycles ||= said.zgc === "cycle";
    this.#zPhases ||= said.zgc === "phase";
    if (said.stoppedMs === null) return;
    this.#stoppedMs += said.stoppedMs - (this.#holdsLast(said) ? (this.#lastPause?.stoppedMs ?? 0) : 0);
    this.#lastPause = said;
  }

  /** A young collection can contain a full one, which is logged first and counted in its time too. */
  #holdsLast(said: GcLine): boolean {
    const last = this.#lastPause;
    return said.kind === "young" && last?.kind === "full" && said.id !== null && last.id === said.id + 1;
  }

  /** Stop-the-world time since the last call, ms; null if this log lacks ZGC's pauses. */
  takeStoppedMs(): number | null {
    const ms = this.#stoppedMs;
    this.#stoppedMs = 0;
    return this.#zCycles && !this.#zPhases ? null : ms;
  }
}
