/** One forward step of the schema, the same in both dialects but for `{{clustered}}`. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly statements: readonly string[];
}
