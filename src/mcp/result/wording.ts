import type { AlertCounts } from "../../core/alert/alert-list-input.ts";
import type { Instructions } from "../catalogue/instructions.ts";

/** Every sentence of the connector that a model reads and that belongs to no single tool: constants, printable ASCII. */
export interface Wording {
  /** The map of the tools, the quota rule, and what third-party text is. */
  readonly instructions: Instructions;
  /** Stands before every answer that can hold text others wrote. */
  readonly thirdPartyNotice: string;
  /** A URI of no resource. */
  readonly noResource: string;
  /** A person was asked before a write, and declined or did not answer: the call was not made. */
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
    /** Fields of a series without a single value, while other fields have some. */
    readonly neverMeasured: (fields: readonly string[]) => string;
    /** The limit that was sent is above the most rows of one result. */
    readonly rowsCapped: string;
    /** Over stdio: what the person who set the connector up has to do. */
    readonly tokenMissing: string;
    readonly tokenRefused: string;
    readonly textShortened: string;
    readonly detailsLeftOut: string;
    readonly entriesLeftOut: (count: number) => string;
    readonly rowsLeftOut: (count: number) => string;
    /** The number of entries that the previews of lists left out. */
    readonly headsShown: (count: number) => string;
    /** How many alerts of each rule a window has: ids and figures alone, since rules are named by people. */
    readonly alertCounts: (counts: AlertCounts) => string;
    /** Which tools list ids that exist. */
    readonly idsComeFrom: (tools: readonly string[]) => string;
  };
}
