import type { SessionCaller } from "../../../contract/call/caller.ts";
import type { Instant } from "../../../core/time.ts";
import { getDigest } from "../../../endpoints/web/digest/get-digest.ts";
import { personPage, type PageContent, type PageRequest } from "../../page.ts";
import { nullIfRefused } from "../../parts/null-if-refused.ts";
import { PlanNotice } from "../../parts/plan.tsx";
import { Card, Empty } from "../../parts/state.tsx";
import { Age, Text, Time } from "../../parts/value.tsx";

/** The weekly digest as it would be sent at this moment. */
export const digestPage = personPage({ path: "/digest", show });

async function show(request: PageRequest<SessionCaller>): Promise<PageContent> {
  const { person, plans, now } = request;
  const answer = await nullIfRefused(["plan_required"], request.call(getDigest, {}));
  return {
    title: "Weekly digest",
    body: (
      <>
        <div class="title">
          <h1>Weekly digest</h1>
          <a href="/settings/notifications#digest">Switch it on or off</a>
        </div>
        <PlanNotice plans={plans} plan={person.account.plan} feature="monitoring">
          The digest is about monitored servers.
        </PlanNotice>
        {answer && <Answer answer={answer} now={now} />}
      </>
    ),
  };
}

interface Written {
  readonly title: string;
  readonly lines: readonly string[];
}

interface AnswerProps {
  readonly answer: {
    readonly digest: { readonly email: Written; readonly chat: Written } | null;
    readonly next_at: string;
  };
  readonly now: Instant;
}

function Answer({ answer: { digest, next_at }, now }: AnswerProps) {
  if (digest === null)
    return (
      <Empty title="Nothing to send">
        <p>
          No server is monitored, so no digest is sent.{" "}
          <a href="/servers">Switch monitoring on for a server</a>.
        </p>
      </Empty>
    );
  return (
    <>
      <p>
        These are the last seven days, as they would be sent now. The next digest is due on{" "}
        <Time at={next_at} />, <Age at={next_at} now={now} />, for the seven days before it.
      </p>
      <Card title="As e-mail">
        <WrittenText of={digest.email} />
      </Card>
      <Card title="As a chat message">
        <details>
          <summary>Show the message</summary>
          <WrittenText of={digest.chat} />
        </details>
      </Card>
    </>
  );
}

const WrittenText = ({ of: { title, lines } }: { of: Written }) => (
  <>
    <p>
      <strong>
        <Text value={title} />
      </strong>
    </p>
    <pre>
      <Text value={lines.join("\n")} />
    </pre>
  </>
);
