import { toWire } from "../result/wire.ts";

/** A JSON object as text, so that it is serialized only once. */
export class WrittenJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** One line of JSON. Text of `toWire` needs no further escapes, so it is inserted or quoted as it is. */
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

/** Whether the structured content is text, and the first block the same text. */
function isWritten(result: object | null): result is WrittenResult {
  if (result === null || !("structuredContent" in result) || !("content" in result)) return false;
  const { content, structuredContent } = result;
  if (!(structuredContent instanceof WrittenJson) || !Array.isArray(content)) return false;
  const [first] = content as readonly Readonly<Record<string, unknown>>[];
  return first?.["type"] === "text" && first["text"] === structuredContent.text;
}
