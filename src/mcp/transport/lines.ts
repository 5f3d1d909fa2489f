import { StringDecoder } from "node:string_decoder";
import type { Readable } from "node:stream";

/** The lines of a stream of UTF-8. Text after the last line feed is left out. */
export async function* lines(input: Readable): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const chunk of input) {
    const pieces = (rest + decoder.write(chunk as Buffer)).split("\n");
    rest = pieces.pop() ?? "";
    yield* pieces;
  }
}
