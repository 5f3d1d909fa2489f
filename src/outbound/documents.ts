import type { FetchDocument } from "../contract/files/fetched-document.ts";
import { aborted, pinnedClient } from "./pinned-client.ts";
import { publicReach, UnreachableError, type Reach } from "./reach.ts";

/** From looking up the name to the last byte, ms. */
const exchangeMs = 3_000;

/** The longest document, bytes: the metadata of a client takes a few hundred. */
const longest = 16 * 1024;

export const documents =
  (reach: Reach = publicReach): FetchDocument =>
  async (url) => {
    if (url.protocol !== "https:") throw new UnreachableError("the address is not https");
    const signal = AbortSignal.timeout(exchangeMs);
    const client = await pinnedClient(url, reach, signal, exchangeMs);
    try {
      const request = client.request({
        method: "GET",
        path: url.pathname + url.search,
        headers: { accept: "application/json", "user-agent": "Tickmark" },
        signal,
      });
      const { statusCode, headers, body } = await Promise.race([request, aborted(signal)]);
      body.on("error", () => {});
      const control = headers["cache-control"];
      const text = await Promise.race([whole(body), aborted(signal)]);
      return { status: statusCode, cacheControl: typeof control === "string" ? control : null, text };
    } finally {
      await client.destroy();
    }
  };

async function whole(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > longest) throw new UnreachableError("the document is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length).toString("utf8");
}
