import { connect, type Socket } from "node:net";

/** A connection that sends bytes as they are, and keeps what comes back. */
export interface RawClient {
  readonly socket: Socket;
  /** What came back so far. */
  text(): string;
  /** Resolves as soon as that came back. */
  received(pattern: RegExp): Promise<void>;
  /** Resolves with everything that came back, when the other side has closed. */
  readonly closed: Promise<string>;
}

/** Connects, sends, and resolves when the bytes have left. */
export async function rawClient(port: number, bytes = ""): Promise<RawClient> {
  let text = "";
  const socket = connect({ port, host: "127.0.0.1" });
  const waiting = new Set<() => void>();
  const look = (): void => waiting.forEach((one) => one());
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
    look();
  });
  socket.on("error", () => {});
  const closed = new Promise<string>((resolve) => socket.on("close", () => (look(), resolve(text))));
  const received = (pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (pattern.test(text)) resolve();
        else if (socket.destroyed) reject(new Error(`Closed after ${JSON.stringify(text)}`));
        else return;
        waiting.delete(check);
      };
      waiting.add(check);
      check();
    });
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.once("connect", () => {
      if (bytes === "") resolve();
      else socket.write(bytes, "latin1", () => resolve());
    });
  });
  return { socket, text: () => text, received, closed };
}

/** One HTTP request as text; `announced` is longer than the body where the rest comes later. */
export const requestText = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body: string | null = null,
  announced = Buffer.byteLength(body ?? ""),
): string => {
  const all = {
    host: "localhost",
    ...headers,
    ...(body !== null && { "content-type": "application/json", "content-length": String(announced) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`;
};

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answers in what came back, each with a length of its own. */
export function answersIn(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  while (rest.startsWith("HTTP/1.1 ")) {
    const end = rest.indexOf("\r\n\r\n");
    const [line = "", ...fields] = rest.slice(0, end).split("\r\n");
    const headers = Object.fromEntries(
      fields.map((field) => {
        const colon = field.indexOf(":");
        return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
      }),
    );
    const length = Number(headers["content-length"] ?? rest.length);
    answers.push({
      status: Number(line.split(" ")[1]),
      headers,
      body: rest.slice(end + 4, end + 4 + length),
    });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}
