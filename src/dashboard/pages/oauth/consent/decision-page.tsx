import type { AnsweredRequest } from "../../../../contract/call/consents.ts";
import type { PageContent } from "../../../page.ts";
import { Text } from "../../../parts/value.tsx";

/** For a request that this person has already answered. */
export function decisionPage({ client, isAllowed, redirectTo }: AnsweredRequest): PageContent {
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
          You have answered this request already, and nothing more is granted here. Go back to the program
          {isAllowed && ", which continues there"}.
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
              If the program does not continue, start again from the program. Connected programs are listed in{" "}
              <a href="/settings/security">Settings, Security</a>.
            </>
          ) : (
            "To connect the program after all, start again from the program."
          )}
        </p>
      </section>
    ),
  };
}
