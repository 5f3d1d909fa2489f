import type { JsonForm, SentDocument } from "./document-tasks.ts";

/** An input that a worker thread read and checked. */
export class CheckedInput {
  readonly input: Record<string, unknown>;
  /** The input as sent, for handlers that store it; empty for others. */
  readonly sent: Record<string, unknown>;

  constructor(input: Record<string, unknown>, sent: Record<string, unknown>) {
    this.input = input;
    this.sent = sent;
  }
}

/** Reads bodies in worker threads. */
export interface BodyReading {
  /** Reads the document that is an endpoint's whole body, and returns the value of its field. */
  readonly document: (sent: SentDocument) => Promise<unknown>;
  /** Reads a long batch body and checks it by its schema. */
  readonly batch: (sent: SentDocument) => Promise<CheckedInput>;
  /** Parses any other long body. */
  readonly json: (bytes: Uint8Array, form: JsonForm) => Promise<unknown>;
}
