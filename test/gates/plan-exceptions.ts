import type { Size } from "./filled-database.ts";

type Scale = Size & { readonly page: number; readonly answered: number };

/** A statement that may read more than the others, up to so many rows. */
interface Exception {
  readonly statement: RegExp;
  readonly why: string;
  readonly atMost: (scale: Scale) => number;
}

/** A few rows that the set-up of the gate makes beside those of its size. */
const beside = 20;

export const exceptions: readonly Exception[] = [
  {
    statement: /select s\.id from server as s join "(server_event|profile_summary|memory_report)"/,
    why: "an account's list reads one entry of each server, and a page of each of the servers whose newest are the newest",
    atMost: ({ large, page, answered }) => 2 * (large + beside) + 2 * answered * (page + 1) + 4 * answered,
  },
  {
    statement:
      /from "(alert_rule|event_rule)" as "r" inner join "server" as "s"[^]*"s"\."account_id" = [^]*r\.created_at/,
    why: "the rules of an account's servers, whose numbers are limited, are sorted as a whole",
    // A server, its rule, and the rule's place in the sorted page.
    atMost: ({ large, answered }) => 3 * (large + beside) + 4 * answered,
  },
  {
    statement: /r\.author_id < \? or r\.author_id > \?/,
    why: "what others measured on servers that one holds is found server by server",
    atMost: ({ large, reports }) => large + beside + reports / 2,
  },
  {
    statement: /from "(maintenance|recurring_maintenance)" as "m" inner join "server"/,
    why: "windows are looked for on each of a page of 100 servers",
    atMost: () => 200 + beside,
  },
  {
    statement: /json_each.* cross join "server_event"/,
    why: "PostgreSQL does not know that health looks for few types, and reads the period's entries of the server",
    atMost: ({ entriesOfLoud }) => entriesOfLoud + beside,
  },
  {
    statement: /"s"\."group_id" = "g"\."id"/,
    why: "the servers of a group are counted",
    atMost: ({ large, answered }) => (answered + 1) * (large + beside),
  },
  {
    statement: /^select count\(\*\) as "linked", sum\("monitoring_enabled"\)/,
    why: "a link counts the account's servers, whose number is limited",
    atMost: ({ large }) => large + beside,
  },
  {
    statement: /^select "queued_at" as "at", "runs_total" as "runs" from "auto_bench_job"/,
    why: "a launch counts the runs of the day, which a plan limits",
    atMost: ({ others }) => others + beside,
  },
  {
    statement: /^with "ranked" as/,
    why: "the catalogue of offers, which an operator imports, is ranked as a whole",
    atMost: ({ large, answered }) => 2 * (large + beside) + 4 * answered,
  },
  {
    statement: /from "alert" where "account_id" = .*rule_name = \?/,
    why: "alerts by the name of their rule, or by whether somebody was notified, are compared one by one in the period",
    atMost: ({ others }) => others + beside,
  },
];
