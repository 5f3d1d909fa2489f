import type { z } from "zod";
import { callAsPerson, type Answered } from "../../src/contract/call/call-as-person.ts";
import type { TypedEndpoint } from "../../src/contract/endpoint/endpoint.ts";
import { personOf, startSession } from "../../src/contract/access/person.ts";
import type { Account } from "../../src/core/access/account.ts";
import { Refusal } from "../../src/core/errors.ts";
import type { TestService } from "./service.ts";

/** What a page of a signed-in account can ask. */
export async function asPerson({ door }: Pick<TestService, "door">, account: Account) {
  const { secret } = await startSession(door, account, "tests", door.clock());
  return async <E extends TypedEndpoint>(endpoint: E, input: z.input<E["input"]>): Promise<Answered<E>> => {
    const person = await personOf(door, secret, "192.0.2.7", door.clock());
    return callAsPerson(door, endpoint, person, input, "test");
  };
}

/** The code a call was refused with; `done` when it was not. */
export const refusalOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "done",
    (error: unknown) => {
      if (error instanceof Refusal) return error.code;
      throw error;
    },
  );
