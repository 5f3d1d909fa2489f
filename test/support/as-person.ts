import {
  callAsPerson,
  type CalledByPages,
  type PersonAnswer,
  type PersonInput,
} from "../../src/contract/call/call-as-person.ts";
import { personOf, startSession } from "../../src/contract/call/person.ts";
import type { Account } from "../../src/core/access/account.ts";
import { Refusal } from "../../src/core/errors.ts";
import type { TestService } from "./service.ts";

/** What a page of a signed-in account can ask. */
export async function asPerson({ app }: Pick<TestService, "app">, account: Account) {
  const { secret } = await startSession(app, account, "tests", app.clock());
  return async <C extends CalledByPages>(called: C, input: PersonInput<C>): Promise<PersonAnswer<C>> => {
    const person = await personOf(app, secret, "192.0.2.7", app.clock());
    return callAsPerson(app, called, person, input, "test");
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
