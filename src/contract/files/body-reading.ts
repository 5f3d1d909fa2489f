import type { JsonForm, SentDocument } from "./document-tasks.ts";

/** The input of a call that was read and checked outside the thread that answers calls. */
export class CheckedInput {
  readonly input: Record<string, unknown>;
  /** The input as it was sent, where the handler of such a call keeps it. */
  readonly sent: Record<string, unknown>;

  constructor(input: Record<string, unknown>, sent: Record<string, unknown>) {
    this.input = input;
    this.sent = sent;
  }
}

/** Reads what a body holds outside the thread that answers calls. */
export interface BodyReading {
  /** The document that is an endpoint's whole body; what it answers is the value of that field. */
  readonly document: (sent: SentDocument) => Promise<unknown>;
  /** A long body of an endpoint that takes batches, checked by its schema. */
  readonly batch: (sent: SentDocument) => Promise<CheckedInput>;
  /** Another long body: its JSON. */
  readonly json: (bytes: Uint8Array, form: JsonForm) => Promise<unknown>;
}
