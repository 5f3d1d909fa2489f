import { timelineAt, type AccountEventRecord } from "../event/server-event.ts";
import { shownName } from "../text/plain-words.ts";
import { shownMinute } from "./words.ts";

/** A longer value, such as a file's digest, tells a reader nothing. */
const longestValue = 40;

const memberOf = (metadata: unknown, name: string): unknown =>
  typeof metadata === "object" && metadata !== null && Object.hasOwn(metadata, name)
    ? (metadata as Readonly<Record<string, unknown>>)[name]
    : null;

/** Null if there is no value, or none that is short and readable. */
function valueIn(metadata: unknown, name: string): string | null {
  const value = memberOf(metadata, name);
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return null;
  const text = String(value);
  return text.length > longestValue ? null : shownName(text, longestValue);
}

function fromTo(metadata: unknown): string {
  const [from, to] = [valueIn(metadata, "from"), valueIn(metadata, "to")];
  if (from !== null && to !== null) return `, ${from} to ${to}`;
  return to === null ? "" : `, ${to}`;
}

/** Time, server and change in one line; names are cut to `cap` code points. */
export function changeWords(event: AccountEventRecord, cap: number): string {
  const { title, metadata, serverName } = event;
  const subject = memberOf(metadata, "subject") ?? memberOf(metadata, "what");
  const what = typeof subject === "string" ? `: ${shownName(subject, cap)}` : "";
  const server = serverName === null ? "a server without a name" : shownName(serverName, cap);
  return `${shownMinute(timelineAt(event))}, ${server}: ${shownName(title, cap)}${what}${fromTo(metadata)}`;
}
