import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import type { EscapePlan } from "../../core/text/escape-plan.ts";
import { minuteMs, toTimestamp, type Instant } from "../../core/time.ts";

/** Members to show, whole or in part; for a list, the members of each entry. */
export interface ShownMembers {
  readonly [member: string]: true | ShownMembers;
}

/** When a row leaves out a member that has a value. Plain data, for the connector over stdio. */
export interface LeftOutWhen {
  readonly member: string;
  readonly when:
    | { readonly member: string; readonly is: string | number }
    | { readonly member: string; readonly isNot: string | number }
    /** The row's instant is missing, or this much earlier than the answer's `generated_at`. */
    | { readonly member: string; readonly olderThanSeconds: number };
}

/** Shows only these members, and only those with a value, so that much fits into one result. */
export interface BriefRows {
  readonly members: ShownMembers;
  /** Set if the members are those of a single answer; its members that say nothing are left out too. */
  readonly ofAnswer?: {
    /** By member: the value with which it is left out. Empty lists and objects are left out too. */
    readonly usual: Readonly<Record<string, string | number | boolean>>;
    /** Lists in which equal entries are shown once. */
    readonly once: readonly string[];
    /** A member whose value is replaced by `{member}` in the text of the others. */
    readonly named: string;
    /**
     * An instant of entries: the answer shows its newest, the holder of a list the one of most entries, and each only
     * what differs by more than a minute from that above it.
     */
    readonly dated: string;
  };
  readonly leavesOut?: readonly LeftOutWhen[];
}

export function withBriefRows(
  answer: Record<string, unknown>,
  { members, leavesOut = [], ofAnswer }: BriefRows,
): Record<string, unknown> {
  if (ofAnswer) return briefAnswer(answer, members, ofAnswer);
  const { data, generated_at: at } = answer;
  if (!Array.isArray(data)) return answer;
  const rows = data.map((row: unknown) => {
    if (!isJsonObject(row)) return row;
    const held = leavesOut.filter(({ when }) => holds(when, row, at));
    const gone = new Set(held.map(({ member }) => member));
    const shown = Object.entries(members).filter(([name]) => !gone.has(name));
    return shownPart(row, Object.fromEntries(shown));
  });
  return { ...answer, data: rows };
}

function briefAnswer(
  answer: Record<string, unknown>,
  members: ShownMembers,
  { usual, once, named, dated }: NonNullable<BriefRows["ofAnswer"]>,
): Record<string, unknown> {
  const seen = new Set<string>();
  const name = String(answer[named]);
  const saidOf = (value: unknown, member: string, at: Instant | null): unknown => {
    if (Array.isArray(value)) {
      const entries = value.map((entry: unknown) => saidOf(entry, member, at));
      return once.includes(member) ? entries.filter((entry) => isNew(entry)) : entries;
    }
    if (isJsonObject(value)) return saidIn(value, at);
    return typeof value === "string" && member !== named ? value.replaceAll(name, `{${named}}`) : value;
  };
  const saidIn = (value: Record<string, unknown>, above: Instant | null): Record<string, unknown> => {
    const common = commonInstant(value, dated);
    const isApart = common !== null && !isNear(common, above);
    const at = isApart ? common : above;
    const said = Object.entries(value).flatMap(([member, held]) => {
      const isLeftOut =
        held === null || usual[member] === held || (member === dated && isNear(instantOf(held), above));
      const shown = isLeftOut ? {} : saidOf(held, member, at);
      return isEmpty(shown) ? [] : [[member, shown]];
    });
    return { ...Object.fromEntries(said), ...(isApart && { [dated]: toTimestamp(common) }) };
  };
  const isNew = (entry: unknown): boolean => seen.size < seen.add(JSON.stringify(entry)).size;
  const shown = shownPart(answer, members);
  if (!isJsonObject(shown)) return answer;
  const newest = Math.max(...instantsIn(shown, dated));
  if (newest === -Infinity) return saidIn(shown, null);
  return { [dated]: toTimestamp(newest), ...saidIn(shown, newest) };
}

const nearMs = minuteMs;

const isNear = (at: Instant, other: Instant | null): boolean =>
  other !== null && Math.abs(at - other) <= nearMs;

const instantOf = (value: unknown): Instant => Date.parse(String(value));

/** Every instant under this name in a value. */
function instantsIn(value: unknown, name: string): Instant[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([member, held]) =>
    member === name ? [instantOf(held)] : instantsIn(held, name),
  );
}

/** The most frequent instant of the entries of an object's lists, the newest among equals; null if they have none. */
function commonInstant(value: Record<string, unknown>, name: string): Instant | null {
  const counts = new Map<Instant, number>();
  for (const list of Object.values(value).filter((member) => Array.isArray(member)))
    for (const entry of list)
      if (isJsonObject(entry) && typeof entry[name] === "string")
        counts.set(instantOf(entry[name]), (counts.get(instantOf(entry[name])) ?? 0) + 1);
  const [most] = [...counts].toSorted(([at, count], [other, less]) => less - count || other - at);
  return most?.[0] ?? null;
}

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

function holds(when: LeftOutWhen["when"], row: Record<string, unknown>, at: unknown): boolean {
  const value = row[when.member];
  if ("is" in when) return value === when.is;
  if ("isNot" in when) return value !== when.isNot;
  const seconds = (Date.parse(String(at)) - Date.parse(String(value))) / 1000;
  return !(seconds <= when.olderThanSeconds);
}

function shownPart(value: unknown, members: true | ShownMembers): unknown {
  if (members === true) return value;
  if (Array.isArray(value)) return value.map((entry) => shownPart(entry, members));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, inner]) => {
      const member = value[name] ?? null;
      return member === null ? [] : [[name, shownPart(member, inner)]];
    }),
  );
}

/** The plan of an endpoint's text without the paths that brief rows leave out. */
export const briefPlan = (plan: EscapePlan, { members, ofAnswer }: BriefRows): EscapePlan => ({
  get root() {
    return plan.root;
  },
  paths: plan.paths.filter((path) => isShown(ofAnswer ? `data[].${path}` : path, members)),
  apply: plan.apply,
});

function isShown(path: string, members: ShownMembers): boolean {
  if (!path.startsWith("data[].")) return true;
  let shown: true | ShownMembers | undefined = members;
  for (const segment of path.split(".").slice(1)) {
    if (shown === true || shown === undefined || segment.startsWith("*")) break;
    shown = shown[segment.replace("[]", "")];
  }
  return shown !== undefined;
}

/** The output schema of brief rows: only the shown members. */
export function briefSchema(
  schema: Readonly<Record<string, unknown>>,
  { members, ofAnswer }: BriefRows,
): Readonly<Record<string, unknown>> {
  const { properties } = schema;
  if (ofAnswer) {
    const shown = shownSchema(schema, members);
    if (!isJsonObject(shown) || !isJsonObject(shown["properties"])) return schema;
    return { ...shown, properties: { [ofAnswer.dated]: {}, ...shown["properties"] } };
  }
  if (!isJsonObject(properties) || !isJsonObject(properties["data"])) return schema;
  const { data } = properties;
  return {
    ...schema,
    properties: { ...properties, data: { ...data, items: shownSchema(data["items"], members) } },
  };
}

function shownSchema(schema: unknown, members: true | ShownMembers): unknown {
  if (members === true || !isJsonObject(schema)) return schema;
  if (isJsonObject(schema["items"])) return { ...schema, items: shownSchema(schema["items"], members) };
  const { properties } = schema;
  if (!isJsonObject(properties)) return schema;
  const shown = Object.entries(members).map(([name, inner]) => [name, shownSchema(properties[name], inner)]);
  return { ...schema, properties: Object.fromEntries(shown) };
}
