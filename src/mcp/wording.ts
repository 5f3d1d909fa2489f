/** Every sentence of the connector that a model reads and that belongs to no single tool: constants, printable ASCII. */
export interface Wording {
  /** The map of the tools, the quota rule, and what third-party text is. */
  readonly instructions: string;
  /** Stands before every answer that can hold text others wrote. */
  readonly thirdPartyNotice: string;
  /** A URI that is nobody's. */
  readonly noResource: string;
  readonly notes: {
    readonly callsRunningLow: string;
    readonly filteredEmpty: string;
    /** The list is empty, and could not be otherwise on the account's plan. */
    readonly planLacks: (feature: string) => string;
    readonly cursorAtEnd: string;
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
