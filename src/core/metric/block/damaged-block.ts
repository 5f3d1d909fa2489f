/** Thrown by the readers of blocks for bytes that no writer of this program made; nothing else is thrown for any bytes. */
export class DamagedBlock extends Error {
  override readonly name = "DamagedBlock";

  constructor(what: string) {
    super(`A block of measurements is damaged: ${what}.`);
  }
}
