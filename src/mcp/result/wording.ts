import type { AlertCounts } from "../../core/alert/alert-list-input.ts";
import type { Instructions } from "../catalogue/instructions.ts";

/** A server that may be meant; `name` is quoted, with nothing hidden in it. */
export interface NearServer {
  readonly id: string;
  readonly name: string;
}

/** The connector's sentences for models that belong to no single tool: constants, printable ASCII. */
export interface Wording {
  /** A map of the tools, the quota rule, and what third-party text is. */
  readonly instructions: Instructions;
  /** Precedes every answer that can hold third-party text. */
  readonly thirdPartyNotice: string;
  /** For a URI that names no resource. */
  readonly noResource: string;
  /** For a call that was not made, because the person declined or did not answer. */
  readonly notMade: { readonly declined: string; readonly unanswered: string };
  readonly argumentErrors: {
    /** Null for a name that is not repeated. */
    readonly unknown: (name: string | null, taken: readonly string[]) => string;
    /** For text in place of another JSON type. */
    readonly sentAsText: (type: string) => string;
    /** The forms of a time that the connector takes and REST does not. */
    readonly times: string;
  };
  readonly notes: {
    /** `until` is an instant in ISO 8601, `wait` the time until then, such as `23 h 59 min`; null: not known. */
    readonly callsLeft: (remaining: number, limit: number, until: string, wait: string | null) => string;
    /** `exact` are the sent filters of free text, `examples` values that they find. */
    readonly filteredEmpty: (exact: readonly string[], examples: readonly string[]) => string;
    /** For a list with nothing in the time that was sent, which is kept; `times` are the arguments. */
    readonly nothingThen: (times: readonly string[]) => string;
    /** The same where the plan says how long entries are kept. */
    readonly nothingLeft: (times: readonly string[]) => string;
    /** For a time that reaches behind what is kept; `since` is a date. */
    readonly notKept: (days: number, since: string) => string;
    /** For a list that is always empty on the account's plan. */
    readonly planLacks: (feature: string) => string;
    readonly cursorAtEnd: string;
    /** By argument: the instants used for relative times, for a list with further pages. */
    readonly timesTaken: (times: Readonly<Record<string, string>>) => string;
    /** No field of a series has a value. */
    readonly nothingMeasured: string;
    /** These fields of a series have no value, while others have some. */
    readonly neverMeasured: (fields: readonly string[]) => string;
    /** The `limit` that was sent is above the most rows of one result. */
    readonly rowsCapped: string;
    /** Over stdio: what the person who set the connector up has to do. */
    readonly tokenMissing: string;
    readonly tokenRefused: string;
    readonly textShortened: string;
    readonly detailsLeftOut: string;
    readonly entriesLeftOut: (count: number) => string;
    readonly rowsLeftOut: (count: number) => string;
    /** `count` is the number of entries that previews left out. */
    readonly headsShown: (count: number) => string;
    /** Ids and numbers alone, because rules are named by people. */
    readonly alertCounts: (counts: AlertCounts) => string;
    /** What a connection may not do. */
    readonly rightsMissing: (scopes: readonly string[]) => string;
    readonly serversNear: (servers: readonly NearServer[]) => string;
    readonly idsComeFrom: (tools: readonly string[]) => string;
  };
}
