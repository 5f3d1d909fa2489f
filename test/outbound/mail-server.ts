import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export interface Mail {
  readonly from: string;
  readonly recipients: readonly string[];
  /** As it came over the wire, dots unstuffed. */
  readonly raw: string;
}

export interface MailServer {
  readonly url: string;
  readonly port: number;
  readonly mails: Mail[];
  /** The connections that are open. */
  readonly connections: () => Iterable<Socket>;
  close(): Promise<void>;
}

/** A mail server on 127.0.0.1 that takes everything, in plain text by default; 0: on a free port. */
export async function startMailServer(options: SMTPServerOptions = {}, at = 0): Promise<MailServer> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? "" : mailFrom.address,
          recipients: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString("latin1"),
        });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => {});
  server.listen(at, "127.0.0.1");
  const open = new Set<Socket>();
  server.server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  // Connections that are kept for the next mail are not waited for.
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of open) socket.destroy();
    });
  return { url: `smtp://127.0.0.1:${port}`, port, mails, connections: () => open, close };
}

export interface ReadMail {
  /** Name and unfolded value of each header line, in order. */
  readonly headers: readonly (readonly [string, string])[];
  readonly subject: string;
  readonly text: string;
}

/** A mail of one plain-text part, read without the library that wrote it. */
export function readMail({ raw }: Mail): ReadMail {
  const end = raw.indexOf("\r\n\r\n");
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]/g, " ")
    .split("\r\n");
  const headers = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  const valueOf = (name: string): string => headers.find(([header]) => header === name)?.[1] ?? "";
  const body = raw.slice(end + 4);
  const encoding = valueOf("content-transfer-encoding");
  const bytes =
    encoding === "base64"
      ? Buffer.from(body, "base64")
      : encoding === "quoted-printable"
        ? quoted(body.replaceAll("=\r\n", ""), /=([0-9A-F]{2})/g)
        : Buffer.from(body, "latin1");
  return { headers, subject: decodedWords(valueOf("subject")), text: bytes.toString("utf8") };
}

const quoted = (text: string, escape: RegExp): Buffer =>
  Buffer.from(
    text.replaceAll(escape, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );

/** RFC 2047; white space between two encoded words is not shown. */
const decodedWords = (value: string): string =>
  value
    .replaceAll(/\?=[ \t]+=\?/g, "?==?")
    .replaceAll(/(?:=\?utf-8\?[bq]\?[^?]*\?=)+/gi, (words) =>
      Buffer.concat(
        [...words.matchAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi)].map(([, kind = "", text = ""]) =>
          kind.toLowerCase() === "b"
            ? Buffer.from(text, "base64")
            : quoted(text.replaceAll("_", " "), /=([0-9A-F]{2})/gi),
        ),
      ).toString("utf8"),
    );
