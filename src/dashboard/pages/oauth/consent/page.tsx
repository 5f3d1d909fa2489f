import type { SessionCaller } from "../../../../contract/call/caller.ts";
import type { ConsentRequest } from "../../../../contract/call/consents.ts";
import type { PlanName } from "../../../../core/access/plan.ts";
import type { Instant } from "../../../../core/time.ts";
import { personPage, type FormProblem, type PageRequest } from "../../../page.ts";
import { Button, Form } from "../../../parts/form.tsx";
import { FactorField } from "../../../parts/factor-field.tsx";
import { capitalised } from "../../../words/capitalised.ts";
import { Card, Notice } from "../../../parts/state.tsx";
import { Facts } from "../../../parts/table.tsx";
import { Text } from "../../../parts/value.tsx";
import { decisionPage } from "./decision-page.tsx";
import { ReplaceConnection } from "./replace-connection.tsx";
import { Rights, tickedAtFirst } from "./rights.tsx";
import { WidenConnection } from "./widen-connection.tsx";

export const consentPage = personPage({
  path: "/oauth/consent/{id}",
  show: async (request, problem) => {
    const { waiting, answered } = await request.consents.find(...requestKey(request), request.person);
    if (answered)
      return answered.redirectTo !== null && answered.isExternal
        ? { to: answered.redirectTo }
        : decisionPage(answered);
    const { formTarget } = waiting;
    return {
      title: "Connect a program",
      narrow: true,
      formTargets: formTarget === null ? [] : [formTarget],
      body: <Consent request={waiting} person={request.person} now={request.now} problem={problem} />,
    };
  },
  actions: {
    allow: async (sent) => ({
      to: await sent.consents.allow(...requestKey(sent), sent.person, {
        scopes: sent.form.getAll("scope"),
        replaces: sent.form.get("replaces"),
        widens: sent.form.get("widens") || null,
        secondFactor: sent.form.get("second_factor") ?? "",
      }),
    }),
    deny: async (sent) => ({ to: await sent.consents.deny(...requestKey(sent), sent.person) }),
  },
});

function requestKey({ params, consents, cookie }: PageRequest<SessionCaller>): [string, string | null] {
  const id = params["id"] ?? "";
  return [id, cookie(consents.cookieOf(id))];
}

interface ConsentProps {
  readonly request: ConsentRequest;
  readonly person: SessionCaller;
  readonly now: Instant;
  readonly problem: FormProblem | null;
}

function Consent({ request, person, now, problem }: ConsentProps) {
  const { client, activeTokens, replaceable, widenable } = request;
  const { tokens } = person.limits;
  const isFull = activeTokens >= tokens;
  return (
    <>
      <h1>
        Connect <Text value={client.name} /> to your account?
      </h1>
      <p>
        The program requests to act for you through the agent connector. You can change its rights, or end
        this, at any time in Settings, Security.
      </p>
      <Card title="The program">
        <Facts of={facts(request, person)} />
        {!request.isKnownByHost && (
          <Notice means="watch">
            This program chose its name itself, and nobody has checked it. Continue only if you have just
            started it.
          </Notice>
        )}
      </Card>
      <Card title="What it may do">
        {widenable.length > 0 ? (
          <Choice request={request} problem={problem} button="Allow">
            <WidenConnection request={request} mayAdd={!isFull} now={now} />
          </Choice>
        ) : isFull && replaceable.length === 0 ? (
          <Full tokens={tokens} plan={person.account.plan} />
        ) : (
          <Choice request={request} problem={problem} button={isFull ? "Replace and connect" : "Connect"}>
            {isFull && (
              <ReplaceConnection of={replaceable} tokens={tokens} plan={person.account.plan} now={now} />
            )}
          </Choice>
        )}
        <Form does="deny">
          <Button plain>Do not connect</Button>
        </Form>
      </Card>
    </>
  );
}

const facts = (
  { client, redirectHost, activeTokens }: ConsentRequest,
  { account, limits }: SessionCaller,
): [string, preact.ComponentChildren][] => [
  ["Program", <Text value={client.name} />],
  ["Comes from", <Text value={client.host} />],
  ["Your answer goes to", <Text value={redirectHost} />],
  ["Your account", <Text value={account.email} />],
  ["Counts as one of your tokens", `${activeTokens} of ${limits.tokens} in use now`],
];

function Full({ tokens, plan }: { tokens: number; plan: PlanName }) {
  return (
    <Notice means="bad">
      <p>
        Your plan ({capitalised(plan)}) covers {tokens} active {tokens === 1 ? "token" : "tokens"}, and all
        are in use. A connected program counts as one, so nothing can be granted now.
      </p>
      <p>
        Revoke a token in <a href="/settings/security">Settings, Security</a>, then reload this page.
      </p>
    </Notice>
  );
}

interface ChoiceProps {
  readonly request: ConsentRequest;
  readonly problem: FormProblem | null;
  readonly button: string;
  /** Which connection is replaced or widened, if one is. */
  readonly children: preact.ComponentChildren;
}

function Choice({ request, problem, button, children }: ChoiceProps) {
  const ticked = problem?.action === "allow" ? problem.form.getAll("scope") : tickedAtFirst(request);
  return (
    <Form does="allow">
      {children}
      <Rights request={request} ticked={ticked} />
      {request.needsFactor && <FactorField of="allow" {...request.needsFactor} />}
      <Button>{button}</Button>
    </Form>
  );
}
