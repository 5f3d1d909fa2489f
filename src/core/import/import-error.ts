/** A file that cannot be imported; the message tells a person what is wrong and what to send. */
export class ImportError extends Error {
  override readonly name: string = "ImportError";
}
