import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

export interface Posted {
  readonly status: number;
  /** Null if the answer has no `Retry-After`. */
  readonly retryAfterSeconds: number | null;
  readonly text: string;
}

/** A Tickmark service never answers more than this, bytes. */
const answerLimit = 4 * 1024 * 1024;

// Node's own client, because loading undici costs an otherwise small process 12 MB of memory.
const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };

/**
 * `quietMs` is the longest silence. Rejects with the network's error. A request on a connection that the
 * server had closed is sent again once: use it only for requests that may arrive twice.
 */
export async function post(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  quietMs: number,
  method: "POST" | "PUT" = "POST",
): Promise<Posted> {
  try {
    return await attempt(url, headers, body, quietMs, method);
  } catch (error) {
    if (error instanceof StaleConnection) return attempt(url, headers, body, quietMs, method);
    throw error;
  }
}

class StaleConnection extends Error {}

function attempt(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  quietMs: number,
  method: "POST" | "PUT",
): Promise<Posted> {
  const secure = url.protocol === "https:";
  const begin = secure ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing = begin(
      url,
      {
        method,
        agent: secure ? agents.https : agents.http,
        timeout: quietMs,
        headers: { ...headers, "content-length": body.length },
      },
      (answer) => readAnswer(answer).then(resolve, reject),
    );
    outgoing.on("timeout", () =>
      outgoing.destroy(new Error(`${url.host} said nothing for ${quietMs / 1000} s.`)),
    );
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      const stale = outgoing.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
      reject(stale ? new StaleConnection() : error);
    });
    outgoing.end(body);
  });
}

async function readAnswer(answer: IncomingMessage): Promise<Posted> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > answerLimit) throw new Error("The answer is too long for a Tickmark service.");
    chunks.push(chunk);
  }
  const retryAfter = Number(answer.headers["retry-after"] ?? Number.NaN);
  return {
    status: answer.statusCode ?? 0,
    retryAfterSeconds: Number.isFinite(retryAfter) && retryAfter >= 0 ? retryAfter : null,
    text: Buffer.concat(chunks).toString("utf8"),
  };
}
