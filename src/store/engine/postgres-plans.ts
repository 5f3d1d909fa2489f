/**
 * Session settings for the plans of all statements of calls and jobs. PostgreSQL keeps a statement's plan, and
 * makes it of an empty table as soon as the service starts: read it all, join by hash. In a new database each
 * lookup then read thousands of rows, until PostgreSQL collected its first statistics minutes later. Every
 * statement runs on SQLite too, which joins row by row through indexes only, so it has an index for that. What
 * is switched off is still used where no index serves.
 */
export const planSettings: readonly string[] = [
  "SET enable_seqscan = off",
  "SET enable_hashjoin = off",
  "SET enable_mergejoin = off",
  // What is switched off and used all the same counts as very costly, for which PostgreSQL would compile the plan.
  "SET jit = off",
];
