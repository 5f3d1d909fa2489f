/** A capture of the server that is uploaded on request. */
export interface Collected {
  readonly kind: "profile" | "memory report";
  readonly contentType: string;
  readonly body: Uint8Array | string;
  /** The name of the capture on this machine: letters, digits, dots and dashes. */
  readonly localName: string;
}

/** The service takes no larger upload of these, bytes. */
export const largestUpload = 16 * 1024 * 1024;
