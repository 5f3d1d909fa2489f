/** A position in the write-ahead log that the primary had reached. */
interface Written {
  readonly at: number;
  readonly position: bigint;
}

/** Most positions that are remembered: half a minute of them exactly, hours of them roughly. */
const mostRemembered = 64;

/**
 * How far a replica is behind, by positions in the write-ahead log. The replica's clock, and the time of the
 * last transaction that it replayed, are not used: on a primary that is idle that time stands still, and it
 * says nothing of a replica that receives nothing. Instants are those of one clock that never goes back, ms.
 */
export class ReplicaLag {
  #written: Written[] = [];
  #replayedAt: number | null = null;

  /** `position`: what the primary had written; asked for at `at` or later. */
  noteWritten(at: number, position: bigint): void {
    this.#written.push({ at, position });
    if (this.#written.length <= mostRemembered) return;
    // Forgetting a position makes the lag look longer, never shorter.
    const older = this.#written.slice(0, mostRemembered / 2).filter((_, index) => index % 2 === 0);
    this.#written = [...older, ...this.#written.slice(mostRemembered / 2)];
  }

  /** `position`: what the replica has replayed. A later one may be lower: another server may answer. */
  noteReplayed(position: bigint): void {
    const newest = this.#written.findLastIndex((written) => written.position <= position);
    this.#replayedAt = this.#written[newest]?.at ?? null;
    if (newest > 0) this.#written.splice(0, newest);
  }

  /** Everything that was committed before this long ago is on the replica, ms; null: nothing is known. */
  behindMs(now: number): number | null {
    return this.#replayedAt === null ? null : now - this.#replayedAt;
  }
}
