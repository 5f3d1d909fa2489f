import type { SessionCaller } from "../../../contract/call/caller.ts";
import type { Instant } from "../../../core/time.ts";
import { getDigest } from "../../../actions/digest/get-digest.ts";
import { personPage, type PageContent, type PageRequest } from "../../page.ts";
import { nullIfRefused } from "../../parts/null-if-refused.ts";
import { PlanNotice } from "../../parts/plan.tsx";
import { Card, Empty } from "../../parts/state.tsx";
import { Age, Text, Time } from "../../parts/value.tsx";

/** The digest as it would be sent now. */
export const digestPage = personPage({ path: "/digest", show });

async function show(request: PageRequest<SessionCaller>): Promise<PageContent> {
  const { person, plans, now, baseUrl } = request;
  const answer = await nullIfRefused(["plan_required"], request.call(getDigest, {}));
  return {
    title: "Weekly digest",
    body: (
      <>
        <div class="title">
          <h1>Weekly digest</h1>
          <a href="/settings/notifications#digest">Switch it on or off</a>
        </div>
        <PlanNotice plans={plans} account={person.account} feature="monitoring">
          The digest is about monitored servers.
        </PlanNotice>
        {answer && <Answer answer={answer} now={now} baseUrl={baseUrl} />}
      </>
    ),
  };
}

interface Written {
  readonly title: string;
  readonly lines: readonly string[];
  /** A path of this service. */
  readonly link: string | null;
}

interface AnswerProps {
  readonly answer: {
    readonly digest: { readonly email: Written; readonly chat: Written } | null;
    readonly next_at: string;
  };
  readonly now: Instant;
  readonly baseUrl: string;
}

function Answer({ answer: { digest, next_at }, now, baseUrl }: AnswerProps) {
  if (digest === null)
    return (
      <Empty
        title="Nothing to send yet"
        next={
          <p>
            <a href="/servers#link">Link a server</a>, or switch monitoring on in the settings of a server
            that is linked.
          </p>
        }
      >
        <p>
          The digest of a week will be here as it is sent: the health of every monitored server, what was
          found, what changed, alerts, and next steps.
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
        <WrittenText of={digest.email} baseUrl={baseUrl} />
      </Card>
      <Card title="As a chat message">
        <details>
          <summary>Show the message</summary>
          <WrittenText of={digest.chat} baseUrl={baseUrl} />
        </details>
      </Card>
    </>
  );
}

const WrittenText = ({ of: { title, lines, link }, baseUrl }: { of: Written; baseUrl: string }) => (
  <>
    <p>
      <strong>
        <Text value={title} />
      </strong>
    </p>
    <div class="typed">
      <Text value={lines.join("\n")} />
      {link !== null && (
        <>
          {"\n\n"}
          <a href={link}>{`${baseUrl}${link}`}</a>
        </>
      )}
    </div>
  </>
);
