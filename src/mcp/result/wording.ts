import type { Instructions } from "../catalogue/instructions.ts";

/** Every sentence of the connector that a model reads and that belongs to no single tool: constants, printable ASCII. */
export interface Wording {
  /** The map of the tools, the quota rule, and what third-party text is. */
  readonly instructions: Instructions;
  /** Stands before every answer that can hold text others wrote. */
  readonly thirdPartyNotice: string;
  /** A URI that is nobody's. */
  readonly noResource: string;
  /** Somebody was asked before a call, which was not made since they said no, or nothing. */
  readonly notMade: { readonly declined: string; readonly unanswered: string };
  /** Refusals of arguments in a tool's own terms. */
  readonly argumentErrors: {
    /** Null for a name that is not repeated. */
    readonly unknown: (name: string | null, taken: readonly string[]) => string;
    /** Text was sent for an argument of a JSON type that is none. */
    readonly sentAsText: (type: string) => string;
    /** What a time can be here beside what REST takes. */
    readonly times: string;
  };
  readonly notes: {
    /** Few of the day's calls are left; `until` is a time of day in UTC, such as 18:05. */
    readonly callsLeft: (remaining: number, limit: number, until: string) => string;
    /** Nothing fits; some of the filters sent take any text, which is compared as it is, with values they find. */
    readonly filteredEmpty: (exact: readonly string[], examples: readonly string[]) => string;
    /** The list is empty, and could not be otherwise on the account's plan. */
    readonly planLacks: (feature: string) => string;
    readonly cursorAtEnd: string;
    /** More rows follow of a list whose ends were given relative to now: what these were, by argument. */
    readonly timesTaken: (times: Readonly<Record<string, string>>) => string;
    /** A series without any value in its whole period. */
    readonly nothingMeasured: string;
    /** Fields of a series that has others: nobody sent these. */
    readonly neverMeasured: (fields: readonly string[]) => string;
    /** More rows were asked for than come back at once. */
    readonly rowsCapped: string;
    /** Over stdio: what the person who set the connector up has to do. */
    readonly tokenMissing: string;
    readonly tokenRefused: string;
    readonly textShortened: string;
    readonly detailsLeftOut: string;
    readonly entriesLeftOut: (count: number) => string;
    readonly rowsLeftOut: (count: number) => string;
    /** So many entries stand behind the heads of lists that a tool showed. */
    readonly headsShown: (count: number) => string;
    /** Which tools list ids that exist. */
    readonly idsComeFrom: (tools: readonly string[]) => string;
  };
}
