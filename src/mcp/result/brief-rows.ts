import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import type { EscapePlan } from "../../core/text/escape-plan.ts";

/** Members of an object that are shown, whole or themselves in part; of a list, the members of each entry. */
export interface ShownMembers {
  readonly [member: string]: true | ShownMembers;
}

/** When a row leaves a member out though it has a value: plain data, for the connector over stdio. */
export interface LeftOutWhen {
  readonly member: string;
  readonly when:
    | { readonly member: string; readonly is: string }
    | { readonly member: string; readonly isNot: string }
    /** An instant of the row lies further behind the answer's `generated_at`, or there is none. */
    | { readonly member: string; readonly olderThanSeconds: number };
}

/**
 * The rows of `data`, or a single answer, as a tool shows them where much has to fit into one result: some of the
 * members REST has, and of these the ones that have a value.
 */
export interface BriefRows {
  readonly members: ShownMembers;
  /** The members are those of the answer itself, which is no list; those of it that say nothing are left out too. */
  readonly ofAnswer?: {
    /** What a member says wherever it is left out, by its name; of lists and objects, that they are empty. */
    readonly usual: Readonly<Record<string, string | number | boolean>>;
    /** Lists whose entries are not repeated where an equal one stands before. */
    readonly once: readonly string[];
    /** A member of the answer that stands as `{name}` in the text of others. */
    readonly named: string;
  };
  readonly leavesOut?: readonly LeftOutWhen[];
}

/** An answer with brief rows; its other members stay as they are. */
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

/** The shown members of an answer that say something, each once. */
function briefAnswer(
  answer: Record<string, unknown>,
  members: ShownMembers,
  { usual, once, named }: NonNullable<BriefRows["ofAnswer"]>,
): Record<string, unknown> {
  const seen = new Set<string>();
  const name = String(answer[named]);
  const saidOf = (value: unknown, member: string): unknown => {
    if (Array.isArray(value)) {
      const entries = value.map((entry: unknown) => saidOf(entry, member));
      return once.includes(member) ? entries.filter((entry) => isNew(entry)) : entries;
    }
    if (isJsonObject(value)) return saidIn(value);
    return typeof value === "string" && member !== named ? value.replaceAll(name, `{${named}}`) : value;
  };
  const saidIn = (value: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(value).flatMap(([member, held]) => {
        const said = held === null || usual[member] === held ? {} : saidOf(held, member);
        return isEmpty(said) ? [] : [[member, said]];
      }),
    );
  const isNew = (entry: unknown): boolean => seen.size < seen.add(JSON.stringify(entry)).size;
  const shown = shownPart(answer, members);
  return isJsonObject(shown) ? saidIn(shown) : answer;
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

/** The plan of an endpoint's text without the paths that brief rows do not show. */
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

/** The schema of an answer whose rows are brief: no member is always there, and none but these is. */
export function briefSchema(
  schema: Readonly<Record<string, unknown>>,
  { members, ofAnswer }: BriefRows,
): Readonly<Record<string, unknown>> {
  if (ofAnswer) return shownSchema(schema, members) as Readonly<Record<string, unknown>>;
  const { properties } = schema;
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
