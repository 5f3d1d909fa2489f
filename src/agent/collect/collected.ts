/** Something of the server that is uploaded when it was asked for. */
export interface Collected {
  readonly kind: "profile" | "memory report";
  readonly contentType: string;
  readonly body: Uint8Array | string;
  /** What it is called here: of letters, digits, dots and dashes. */
  readonly localName: string;
}

/** The service takes no larger upload of these, bytes. */
export const largestUpload = 16 * 1024 * 1024;
