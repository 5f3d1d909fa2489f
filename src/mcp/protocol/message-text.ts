import { toWire } from "../result/wire.ts";

/** A JSON object with its text: a message takes the text, so that it is serialized once. */
export class WrittenJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/**
 * A message as one line of JSON. The structured content of a tool's result is set in as it was written: writing
 * it again would cost as much as the rest of the answer.
 */
export function messageText(message: object): string {
  const result: object | null =
    "result" in message && typeof message.result === "object" ? message.result : null;
  const content = result && "structuredContent" in result ? result.structuredContent : null;
  if (!(content instanceof WrittenJson)) return toWire(message);
  const frame = toWire({ ...message, result: undefined }).slice(0, -1);
  const rest = toWire({ ...result, structuredContent: undefined }).slice(0, -1);
  return `${frame},"result":${rest},"structuredContent":${content.text}}}`;
}
