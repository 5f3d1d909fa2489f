/** Independent of the web framework. */
export interface McpHttpRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[];
  /** A function for a long body, which is read only after the credential was accepted. */
  readonly body: Buffer | null | (() => Promise<Buffer | null>);
  /** The part of the client's address that counts as one caller. */
  readonly address: string;
  readonly requestId: string;
  /** Called with the id of the presented token, once it is known. */
  readonly onToken?: (tokenId: string) => void;
}

/** Joins a header that was sent several times. */
export function headerOf({ headers }: McpHttpRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

export function queryOf(url: string): string {
  const mark = url.indexOf("?");
  return mark < 0 ? "" : url.slice(mark + 1);
}
