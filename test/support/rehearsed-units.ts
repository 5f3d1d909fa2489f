import { rehearseUnits } from "../../src/store/engine/rehearsal.ts";

// A unit of work may be run twice; in the suites every one is, so that one that must not be is found.
rehearseUnits(true);
