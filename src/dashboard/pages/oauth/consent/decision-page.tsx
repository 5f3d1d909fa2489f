import type { AnsweredRequest } from "../../../../contract/access/consents.ts";
import type { Shown } from "../../../page.ts";
import { Text } from "../../../parts/value.tsx";

/** What a request says that this person has answered: nothing is asked any more, and the program has it or gets it. */
export function decisionPage({ client, isAllowed, redirectTo }: AnsweredRequest): Shown {
  return {
    title: isAllowed ? "Connected" : "Not connected",
    narrow: true,
    ...(redirectTo !== null && { refreshTo: redirectTo }),
    body: (
      <section class="empty">
        <h1>
          You {isAllowed ? "connected" : "did not connect"} <Text value={client.name} />
        </h1>
        <p>
          This question is answered, and nothing more is granted here. Go back to the program
          {isAllowed && ": it goes on there"}.
        </p>
        {redirectTo !== null && (
          <p>
            Your browser may ask whether to open it. If it does not, <a href={redirectTo}>open the program</a>
            .
          </p>
        )}
        <p>
          {isAllowed ? (
            <>
              If it does not go on, start again from the program. What is connected is listed in{" "}
              <a href="/settings/security">Settings, Security</a>.
            </>
          ) : (
            "To connect it after all, start again from the program."
          )}
        </p>
      </section>
    ),
  };
}
