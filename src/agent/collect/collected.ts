/** A capture of the server that is uploaded on request. */
export interface Collected {
  readonly kind: "profile" | "memory report";
  readonly contentType: string;
  readonly body: Uint8Array | string;
  /** Letters, digits, `_`, `.` and `-`. */
  readonly localName: string;
}
