import type { Account } from "../../core/access/account.ts";
import { planIncludes, planNames, type PlanFeature, type Plans } from "../../core/access/plan.ts";
import { capitalised } from "../words/capitalised.ts";
import { Notice } from "./state.tsx";

export function plansWith(plans: Plans, feature: PlanFeature): string {
  const names = planNames.filter((name) => planIncludes(plans[name], feature)).map(capitalised);
  const last = names.pop();
  if (last === undefined) return "no plan of this service";
  return names.length === 0 ? last : `${names.join(", ")} and ${last}`;
}

/** The person whose plan a notice is about. */
type Holder = Pick<Account, "id" | "plan" | "role">;

/** Names the plans that have a feature; shows nothing if the person's plan has it. */
export function PlanNotice({
  plans,
  account,
  feature,
  children,
}: {
  plans: Plans;
  account: Holder;
  feature: PlanFeature;
  children: string;
}) {
  if (planIncludes(plans[account.plan], feature)) return null;
  return (
    <Notice means="watch">
      <p>
        {children} This account is on {capitalised(account.plan)}. The feature is part of{" "}
        {plansWith(plans, feature)}. <HowToChangePlan account={account} />
      </p>
    </Notice>
  );
}

/** An admin changes the plan; others read about plans and ask the operator. */
export const HowToChangePlan = ({ account: { id, role } }: { account: Holder }) =>
  role === "admin" ? (
    <a href={`/admin/accounts/${id}`}>Change the plan of your account</a>
  ) : (
    <>
      Ask the operator of this service to change the plan of your account.{" "}
      <a href="/docs/guides/quotas">What plans differ in</a>
    </>
  );
