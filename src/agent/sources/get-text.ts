import { get as getHttp, type IncomingMessage } from "node:http";
import { get as getHttps } from "node:https";

export interface GotText {
  readonly status: number;
  /** Null if it is longer than `most`. */
  readonly text: string | null;
}

/** Reads at most `most` bytes; rejects with the network's own error. */
export function getText(
  address: string,
  { signal, most, accept }: { readonly signal: AbortSignal; readonly most: number; readonly accept: string },
): Promise<GotText> {
  const url = new URL(address);
  const get = url.protocol === "https:" ? getHttps : getHttp;
  return new Promise((resolve, reject) => {
    get(url, { signal, headers: { accept } }, (answer) => {
      textOf(answer, most).then((text) => resolve({ status: answer.statusCode ?? 0, text }), reject);
    }).on("error", reject);
  });
}

async function textOf(answer: IncomingMessage, most: number): Promise<string | null> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    bytes += piece.length;
    // Leaving the loop ends the connection.
    if (bytes > most) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
