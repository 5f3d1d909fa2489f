import type { HeldGrant } from "../../../../core/access/connector.ts";
import type { PlanName } from "../../../../core/access/plan.ts";
import type { Instant } from "../../../../core/time.ts";
import { Choice } from "../../../parts/form.tsx";
import { capitalised } from "../../../words/capitalised.ts";
import { Notice } from "../../../parts/state.tsx";
import { clock, span } from "../../../parts/value.tsx";

interface ReplaceConnectionProps {
  readonly of: readonly HeldGrant[];
  readonly tokens: number;
  readonly plan: PlanName;
  readonly now: Instant;
}

/** Chooses the program's connection to replace, if the plan's tokens are all in use. */
export function ReplaceConnection({ of, tokens, plan, now }: ReplaceConnectionProps) {
  const [only, ...others] = of;
  return (
    <>
      <Notice means="watch">
        Your plan ({capitalised(plan)}) covers {tokens} active {tokens === 1 ? "token" : "tokens"}, and all
        are in use. This program can replace one of its connections. The replaced connection ends at once.
      </Notice>
      {only && others.length === 0 ? (
        <p>
          <input type="hidden" name="replaces" value={only.id} />
          Replace the connection {grantWords(only, now)}.
        </p>
      ) : (
        <Choice
          name="replaces"
          label="Replace the connection"
          options={of.map((grant) => [grant.id, grantWords(grant, now)])}
          of="allow"
        />
      )}
    </>
  );
}

export const grantWords = ({ createdAt, lastUsedAt }: HeldGrant, now: Instant): string =>
  `made ${clock(createdAt)}, ${lastUsedAt === null ? "not used yet" : `last used ${span(now - lastUsedAt)} ago`}`;
