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
 * A message as one line of JSON. The structured content of a tool's result is set in as it was written, and its first
 * text, which is the same, is only quoted: in text of `toWire` nothing is left to escape.
 */
export function messageText(message: object): string {
  const result: object | null =
    "result" in message && typeof message.result === "object" ? message.result : null;
  if (!isWritten(result)) return toWire(message);
  const { content, structuredContent, ...rest } = result;
  const { text } = structuredContent;
  const frame = toWire({ ...message, result: undefined }).slice(0, -1);
  const others = content.slice(1).map((block) => `,${toWire(block)}`);
  const blocks = `[{"type":"text","text":${JSON.stringify(text)}}${others.join("")}]`;
  const members = toWire(rest).slice(1, -1);
  return `${frame},"result":{"content":${blocks},${members}${members && ","}"structuredContent":${text}}}`;
}

interface WrittenResult {
  readonly content: readonly object[];
  readonly structuredContent: WrittenJson;
}

/** Whether a result has its structured content in text, and that text for its first block. */
function isWritten(result: object | null): result is WrittenResult {
  if (result === null || !("structuredContent" in result) || !("content" in result)) return false;
  const { content, structuredContent } = result;
  if (!(structuredContent instanceof WrittenJson) || !Array.isArray(content)) return false;
  const [first] = content as readonly Readonly<Record<string, unknown>>[];
  return first?.["type"] === "text" && first["text"] === structuredContent.text;
}
