import { sql } from "kysely";
import { debugDatabases } from "../../src/store/engine/open-database.ts";
import { run, type Database, type Work } from "../../src/store/engine/database.ts";
import { query, type Dialect } from "../../src/store/engine/query.ts";

/**
 * A debug mode for tests: every unit of work is run twice, the first time to be undone. A unit that leaves something
 * behind outside of its statements, or takes something from there, shows it at once instead of in the rare case that
 * makes a database run it again.
 */
let rehearsedDialects: readonly Dialect[] = [];
let everyRun = true;

/**
 * Switches the debug mode on for databases of these dialects that are opened from here on, and off for others. `runs`:
 * every run of a unit, or its first ones in this process and a share of the later ones.
 */
export const rehearseUnits = (dialects: readonly Dialect[], runs: "every" | "first" = "every"): void => {
  debugDatabases(rehearsed);
  rehearsedDialects = dialects;
  everyRun = runs === "every";
};

/** How many runs of a unit are its first ones, and which share of the later ones is run twice too. */
const [firstRuns, laterShare] = [24, 16];

const counted = new WeakMap<object, number>();

function isDue(work: object): boolean {
  const before = counted.get(work) ?? 0;
  counted.set(work, before + 1);
  return everyRun || before < firstRuns || before % laterShare === 0;
}

const statement = (text: string) =>
  query<Record<string, never>>()((db) => ({ compile: () => sql.raw(text).compile(db) }));
const mark = statement("SAVEPOINT rehearsal");
const undo = statement("ROLLBACK TO SAVEPOINT rehearsal");
const release = statement("RELEASE SAVEPOINT rehearsal");

/** Runs the unit and notes its statements by name. */
function* noted<T>(work: () => Work<T>, names: string[]): Work<T> {
  const steps = work();
  let step = steps.next();
  while (!step.done) {
    names.push(step.value.query.name);
    step = steps.next(yield step.value);
  }
  return step.value;
}

type Ended<T> = { readonly value: T } | { readonly thrown: unknown };

/** What a unit throws itself; where the database refuses a statement, the whole unit ends before this does. */
function* ended<T>(work: Work<T>): Work<Ended<T>> {
  try {
    return { value: yield* work };
  } catch (thrown) {
    return { thrown };
  }
}

function* twice<T>(work: () => Work<T>, between: () => Work<void>, alone: boolean): Work<T> {
  const [first, second]: [string[], string[]] = [[], []];
  yield* ended(noted(work, first));
  yield* between();
  const end = yield* ended(noted(work, second));
  if (alone && first.join() !== second.join())
    throw new Error(
      `A unit of work did something else when it was run again: ${first.join()}; ${second.join()}`,
    );
  if ("thrown" in end) throw end.thrown;
  return end.value;
}

function* rehearsedWrite<T>(work: () => Work<T>, alone: boolean): Work<T> {
  yield* run(mark, {});
  return yield* twice(
    work,
    function* () {
      yield* run(undo, {});
      yield* run(release, {});
    },
    alone,
  );
}

function* nothing(): Work<void> {}

const plain = new WeakMap<Database, Database>();

/** The same database without the debug mode: for tests that count statements, or look at their plans. */
export const unrehearsed = (db: Database): Database => plain.get(db) ?? db;

/** The database as it is, or with the debug mode over it. */
export function rehearsed(db: Database): Database {
  if (!rehearsedDialects.includes(db.dialect)) return db;
  // Others' writes come between the two runs where several are at work at once.
  const alone = db.dialect === "sqlite";
  const twofold: Database = {
    ...db,
    // PostgreSQL runs a reading unit again by itself once it turns out to have several statements.
    read: (work, ...values) =>
      alone && isDue(work)
        ? db.read(() => twice(() => work(...values), nothing, alone))
        : db.read(work, ...values),
    readCached: (how, work, ...values) =>
      alone && isDue(work)
        ? db.read(() => twice(() => work(...values), nothing, alone))
        : db.readCached(how, work, ...values),
    write: (work, ...values) =>
      isDue(work) ? db.write(() => rehearsedWrite(() => work(...values), alone)) : db.write(work, ...values),
    // Units of a group would undo one another's first runs.
    writeFor: (key, work, ...values) =>
      isDue(work)
        ? db.write(() => rehearsedWrite(() => work(...values), alone))
        : db.writeFor(key, work, ...values),
    writeRelaxed: (work, ...values) =>
      isDue(work)
        ? db.writeRelaxed(() => rehearsedWrite(() => work(...values), alone))
        : db.writeRelaxed(work, ...values),
  };
  plain.set(twofold, db);
  return twofold;
}
