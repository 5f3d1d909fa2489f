import { scopes } from "../../../../core/access/scope.ts";
import type { PlanName } from "../../../../core/access/plan.ts";
import type { Instant } from "../../../../core/time.ts";
import type { FormProblem } from "../../../page.ts";
import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import type { getSecondFactor } from "../../../../actions/access/get-second-factor.ts";
import { OwnFactorField } from "../../../parts/factor-field.tsx";
import { Button, FormField, Form } from "../../../parts/form.tsx";
import { ScopeChoice } from "./scopes.tsx";
import { capitalised } from "../../../words/capitalised.ts";
import { Card, Notice } from "../../../parts/state.tsx";
import { clock, Quantity } from "../../../parts/value.tsx";
import { TokenPresets, type TokenPreset } from "./token-presets.tsx";
import { TokenTable, type Tokens } from "./token-table.tsx";

interface TokensCardProps {
  readonly tokens: Tokens;
  readonly plan: PlanName;
  readonly problem: FormProblem | null;
  /** The preset that fills the form. */
  readonly preset: TokenPreset | null;
  readonly factor: PersonAnswer<typeof getSecondFactor>;
  readonly now: Instant;
}

/** The calls of the day, the list of tokens, and the form for a new one. */
export function TokensCard({ tokens, plan, problem, preset, factor, now }: TokensCardProps) {
  const refused = problem?.action === "create" ? problem : null;
  const isFull = tokens.active >= tokens.limit;
  return (
    <Card title="API tokens" id="tokens">
      <p>
        A token lets a program or an assistant act for this account, within its scopes. It cannot make further
        tokens.
      </p>
      <CallsToday calls={tokens.calls} />
      <Uncovered tokens={tokens} plan={plan} />
      {tokens.data.length === 0 ? (
        <p>There is no token yet. Make the first one below.</p>
      ) : (
        <>
          <p class="hint">
            A revoked token or connector is refused from its next call on, and cannot be restored. Make a new
            one instead. Its calls stay under Activity.
          </p>
          <TokenTable rows={tokens.data} now={now} />
        </>
      )}
      <h3 id="new-token">New token</h3>
      {isFull && !refused ? (
        <Notice>
          <p>
            {tokens.active} of {tokens.limit} tokens that the plan ({capitalised(plan)}) covers are in use.
            Revoke one to make another.
          </p>
        </Notice>
      ) : (
        <>
          <TokenPresets chosen={preset} />
          <NewToken
            ticked={refused?.form.getAll("scopes") ?? preset?.scopes ?? []}
            name={preset?.name ?? ""}
            factor={factor}
          />
        </>
      )}
    </Card>
  );
}

function CallsToday({ calls: { used, limit, reset_at } }: { calls: Tokens["calls"] }) {
  return (
    <p>
      Calls today: <Quantity value={used} digits={0} /> of <Quantity value={limit} digits={0} />, by all
      tokens and connectors together.{" "}
      {reset_at === null
        ? "The 24 hours begin with the first call."
        : `The count starts again at ${clock(reset_at)}.`}
    </p>
  );
}

/** The plan covers only the newest tokens. */
function Uncovered({ tokens: { data, limit }, plan }: { tokens: Tokens; plan: PlanName }) {
  const count = data.filter(({ state }) => state === "not_covered").length;
  if (count === 0) return null;
  return (
    <Notice means="watch">
      <p>
        The plan ({capitalised(plan)}) covers {limit === 1 ? "one active token" : `${limit} active tokens`},
        the newest. {count === 1 ? "One older token is" : `${count} older tokens are`} refused with{" "}
        <code>token_quota_exceeded</code>. Revoke newer tokens or change the plan, and the older tokens work
        again.
      </p>
    </Notice>
  );
}

interface NewTokenProps {
  readonly ticked: readonly string[];
  readonly name: string;
  readonly factor: PersonAnswer<typeof getSecondFactor>;
}

function NewToken({ ticked, name, factor }: NewTokenProps) {
  return (
    <Form does="create" class="form wide">
      <FormField
        name="name"
        label="Name"
        of="create"
        value={name}
        hint="The program that will use the token. At most 80 characters."
        required
        maxLength={160}
        autoComplete="off"
      />
      <FormField
        name="expires_in_days"
        label="Expires in (days)"
        type="number"
        of="create"
        hint="1 to 365 days."
        value={90}
        required
        min={1}
        max={365}
        step={1}
      />
      <p class="hint">
        Tick at least one scope. <code>monitoring:write</code> and <code>auto-bench:write</code> can be ticked
        on any plan; while the plan lacks the feature, their calls answer <code>plan_required</code>.
      </p>
      <ScopeChoice of={scopes} ticked={ticked} />
      <OwnFactorField of="create" factor={factor} />
      <Button>Create token</Button>
    </Form>
  );
}
