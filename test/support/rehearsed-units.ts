import { beforeAll, expect } from "vitest";
import { rehearseUnits } from "./rehearsal.ts";
import { isLong } from "./long.ts";
import { waitsForPrograms } from "./waiting-files.ts";

// A unit of work may be run twice; in the suites every one is, so that one that must not be is found. One database
// shows that as well as two: PostgreSQL, where it costs the most, has its turn in the long run, as have all runs of a
// unit after its first ones. Tests of whole programs run the units as these do.
beforeAll(() => {
  const dialects = isLong ? (["sqlite", "postgres"] as const) : (["sqlite"] as const);
  rehearseUnits(
    waitsForPrograms(expect.getState().testPath ?? "") ? [] : dialects,
    isLong ? "every" : "first",
  );
});
