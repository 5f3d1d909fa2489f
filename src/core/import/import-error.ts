/** A file that cannot be taken. The message says for a person what is wrong with it and what to send. */
export class ImportError extends Error {
  override readonly name: string = "ImportError";
}
