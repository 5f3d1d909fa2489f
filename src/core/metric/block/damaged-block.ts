/** Thrown by the readers of blocks for damaged bytes; they throw nothing else. */
export class DamagedBlock extends Error {
  override readonly name = "DamagedBlock";

  constructor(what: string) {
    super(`A block of measurements is damaged: ${what}.`);
  }
}
