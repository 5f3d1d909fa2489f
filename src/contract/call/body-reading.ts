import type { Endpoint } from "../endpoint/endpoint.ts";
import { CheckedInput, type BodyReading } from "../files/body-reading.ts";
import { bodyLimitsOf, type JsonLimits } from "../limits/body-limits.ts";
import { requireNothingOwed, senderIdOf } from "../limits/sender-throttle.ts";
import type { AppContext } from "./app-context.ts";
import type { Caller } from "./caller.ts";

/** Reads the bodies of one call, queued under the account that the caller belongs to. */
export function bodyReading(app: AppContext, endpoint: Endpoint, caller: Caller): BodyReading {
  const { id, files, batch, wholeBody } = endpoint;
  // Another body of this sender may have been refused while this one waited.
  const begin = (): void => requireNothingOwed(app.throttle, senderIdOf(caller), app.clock());
  return {
    document: (sent) => {
      if (files === null || wholeBody === null) throw new Error(`${id} takes no document.`);
      const upload = { sent, field: wholeBody.name, pointers: true };
      return app.readDocuments(readingAccount(caller, id), files.task, upload, begin);
    },
    batch: async (sent) => {
      if (batch === null) throw new Error(`${id} takes no batch.`);
      const read = await app.readDocuments(
        readingAccount(caller, id),
        "readBatch",
        { sent, kind: batch },
        begin,
      );
      return new CheckedInput(read.input, read.sent);
    },
    json: (bytes, form) => {
      const limits: JsonLimits = bodyLimitsOf(endpoint);
      return app.readDocuments(readingAccount(caller, id), "readJson", { bytes, form, limits }, begin);
    },
  };
}

/** The account under which a caller's documents are queued; throws for callers without an account. */
export function readingAccount(caller: Caller, endpoint: string): string {
  switch (caller.kind) {
    case "server":
      return caller.server.accountId;
    case "token":
    case "session":
      return caller.account.id;
    case "runner":
    case "anonymous":
      throw new Error(`${endpoint}: documents are read for an account.`);
  }
}
