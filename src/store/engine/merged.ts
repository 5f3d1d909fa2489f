import {
  AliasNode,
  BinaryOperationNode,
  createQueryId,
  DeleteQueryNode,
  FromNode,
  IdentifierNode,
  InsertQueryNode,
  OperatorNode,
  ParensNode,
  PostgresQueryCompiler,
  RawNode,
  SelectQueryNode,
  UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
  AndNode,
  PrimitiveValueListNode,
  ReturningNode,
  SelectionNode,
  UsingNode,
  type Compilable,
  type OperationNode,
  type RootOperationNode,
} from "kysely";
import { asPlace, Placeholder, type Place } from "./statement.ts";

/**
 * One statement on PostgreSQL in place of many runs of the same query: the values of each place come as one array, and
 * every row that it returns begins with the number of the run that it belongs to, from 1 on.
 */
export interface MergedStatement {
  readonly places: readonly Place[];
  /** Whether it finds rows; otherwise it writes, and returns one number for each row that it wrote. */
  readonly finds: boolean;
  /** Whether it locks the rows that it finds. */
  readonly locks: boolean;
  /** It writes exactly one row for each run, and returns none. */
  readonly writesEach: boolean;
  /**
   * The places whose values differ between any two runs, or else the runs would meet in one row: then one statement
   * does not do what several do. Empty where runs cannot meet.
   */
  readonly apart: readonly number[];
  /** Its text, given PostgreSQL's type of each place; `skips`: locked rows are left out instead of waited for. */
  text(types: readonly string[], skips: boolean): string;
}

/** Where the table of all runs goes; no query of ours calls a table or a column like this. */
const members = "/*runs*/";
const runs = '"each_run"';
const run = `${runs}."run_number"`;
const compiler = new PostgresQueryCompiler();

/**
 * The values of all runs as a table: a column for each place, and the number of the run. PostgreSQL does not look into
 * a sub-select while it plans: with the length of the array in sight it takes each short one for cheaper than any, and
 * plans the statement anew each time.
 */
function membersTable(types: readonly string[]): string {
  const arrays = types.map((type, index) =>
    index === 0 ? `(select $1::${type}[])` : `$${index + 1}::${type}[]`,
  );
  const names = types.map((_, index) => `"p${index + 1}"`);
  return `unnest(${arrays.join(", ")}) with ordinality as ${runs}(${names.join(", ")}, "run_number")`;
}

const nodeOf = (query: Compilable): OperationNode | null =>
  "toOperationNode" in query ? (query as { toOperationNode(): OperationNode }).toOperationNode() : null;

interface Form {
  readonly node: RootOperationNode;
  readonly finds?: boolean;
  readonly writesEach?: boolean;
  readonly locks?: boolean;
  /** Values that stand where runs have to differ. */
  readonly apart?: readonly unknown[];
  /** What stands around the compiled text. */
  readonly around?: readonly [before: string, after: string];
}

/** Derives the form for many runs from the query itself; null where that is not possible. */
export function mergedOf(query: Compilable): MergedStatement | null {
  const node = nodeOf(query);
  const form = node && formOf(node);
  if (!form) return null;
  const { sql, parameters } = compiler.compileQuery(form.node, createQueryId());
  const places = parameters.map(asPlace);
  if (!places.some((place) => place instanceof Placeholder)) return null;
  const [before, after] = form.around ?? ["", ""];
  const inner = sql.replaceAll(/\$(\d+)/gu, `${runs}."p$1"`);
  return {
    places,
    finds: form.finds ?? false,
    locks: form.locks ?? false,
    writesEach: form.writesEach ?? false,
    apart: (form.apart ?? []).map((value) => parameters.indexOf(value)),
    text: (types, skips) =>
      `${before}${inner}${skips && form.locks ? " skip locked" : ""}${after}`.replace(members, () =>
        membersTable(types),
      ),
  };
}

function formOf(node: OperationNode): Form | null {
  if (SelectQueryNode.is(node)) return node.with ? null : select(node);
  if (InsertQueryNode.is(node)) return node.with || node.returning ? null : insert(node);
  if (UpdateQueryNode.is(node))
    return node.with || node.returning || node.from || node.joins ? null : update(node);
  if (DeleteQueryNode.is(node)) return node.with || node.returning || node.using ? null : remove(node);
  return null;
}

const select = (node: SelectQueryNode): Form => ({
  node,
  finds: true,
  locks: node.endModifiers?.some(({ modifier }) => modifier === "ForNoKeyUpdate") ?? false,
  around: [`select ${run}, "q".* from ${members}, lateral (`, `) as "q"`],
});

const raw = (text: string): RawNode => RawNode.createWithSql(text);
const returning = (text: string, name: string): SelectionNode =>
  SelectionNode.create(AliasNode.create(raw(text), IdentifierNode.create(name)));
const returned = ReturningNode.create([returning(run, "run_number")]);

/** The values that columns must equal for a row to be met: each of them has to hold. */
function equalities(condition: OperationNode | undefined): unknown[] {
  if (condition === undefined) return [];
  if (ParensNode.is(condition)) return equalities(condition.node);
  if (AndNode.is(condition)) return [...equalities(condition.left), ...equalities(condition.right)];
  if (!BinaryOperationNode.is(condition)) return [];
  const { operator, rightOperand } = condition;
  const equals = OperatorNode.is(operator) && operator.operator === "=";
  return equals && ValueNode.is(rightOperand) && rightOperand.value instanceof Placeholder
    ? [rightOperand.value]
    : [];
}

function update(node: UpdateQueryNode): Form | null {
  const apart = equalities(node.where?.where);
  if (apart.length === 0) return null;
  return { node: { ...node, from: FromNode.create([raw(members)]), returning: returned }, apart };
}

function remove(node: DeleteQueryNode): Form | null {
  const apart = equalities(node.where?.where);
  if (apart.length === 0 || node.limit) return null;
  return { node: { ...node, using: UsingNode.create([raw(members)]), returning: returned }, apart };
}

/** The values of the one row that an insertion inserts; null for several rows, or where they are not given. */
function rowOf(values: OperationNode | undefined): readonly OperationNode[] | null {
  if (values === undefined || !ValuesNode.is(values) || values.values.length !== 1) return null;
  const [row] = values.values;
  if (row === undefined) return null;
  if (ValueListNode.is(row)) return row.values;
  return PrimitiveValueListNode.is(row) ? row.values.map((value) => ValueNode.create(value)) : null;
}

function insert(node: InsertQueryNode): Form | null {
  const row = rowOf(node.values);
  if (row === null) return null;
  const { onConflict } = node;
  const from = onConflict?.doNothing ? runs : members;
  const fragments = ["select ", ...row.slice(1).map(() => ", "), ` from ${from}`];
  // After `from`, PostgreSQL would take `on conflict` for the condition of a join.
  if (onConflict) fragments[fragments.length - 1] += " where true";
  const selected: InsertQueryNode = { ...node, values: RawNode.create(fragments, row) };
  if (!onConflict) return { node: selected, writesEach: true };
  const names = onConflict.columns?.map(({ column }) => column.name);
  const keys = names?.map((name) => node.columns?.findIndex(({ column }) => column.name === name) ?? -1);
  if (!names || !keys || onConflict.updateWhere || onConflict.indexWhere) return null;
  const apart = keys.map((index) => row[index]).map((value) => value && ValueNode.is(value) && value.value);
  if (!apart.every((value) => value instanceof Placeholder)) return null;
  if (!onConflict.doNothing) return { node: selected, writesEach: true, apart };
  // Then the place of a value is known by its position.
  if (!row.every((value) => ValueNode.is(value) && value.immediate !== true)) return null;
  return skipping(selected, names, keys, apart);
}

/** What an insertion writes that skips rows that are there: the rows that it returns are found again by their key. */
function skipping(
  node: InsertQueryNode,
  names: readonly string[],
  keys: readonly number[],
  apart: readonly unknown[],
): Form {
  const joined = names.map((name, index) => `"written"."${name}" = ${runs}."p${(keys[index] ?? 0) + 1}"`);
  return {
    node: { ...node, returning: ReturningNode.create(names.map((name) => returning(`"${name}"`, name))) },
    apart,
    around: [
      `with ${runs} as materialized (select * from ${members}), "written" as (`,
      `) select ${run} from ${runs} join "written" on ${joined.join(" and ")}`,
    ],
  };
}
