/** A capture of the server that is uploaded on request. */
export interface Collected {
  readonly kind: "profile" | "memory report";
  readonly contentType: string;
  readonly body: Uint8Array | string;
  /** Letters, digits, `_`, `.` and `-`. */
  readonly localName: string;
}

/** The service refuses larger uploads, bytes. */
export const largestUpload = 16 * 1024 * 1024;
