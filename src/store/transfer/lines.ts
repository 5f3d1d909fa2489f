import { ExchangeError } from "./format.ts";

/** Far longer than any row, bytes: a file with a longer line is no export, and is not read into memory. */
const longestLine = 256 * 1024 * 1024;

const newline = 0x0a;

/** The lines of a byte stream, without line ends. Throws ExchangeError if it ends within a line. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let begun: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const rest = chunk.subarray(start, end);
      yield begun.length === 0
        ? Buffer.from(rest.buffer, rest.byteOffset, rest.byteLength)
        : Buffer.concat([...begun, rest]);
      begun = [];
      length = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    begun.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > longestLine)
      throw new ExchangeError("This is not an export: a line has no end. Name an export file.");
  }
  if (length > 0) throw cutOff();
}

export const cutOff = (): ExchangeError =>
  new ExchangeError("The export is not complete: it ends before its last line. Export it again.");
