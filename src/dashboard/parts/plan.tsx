import {
  planIncludes,
  planNames,
  type PlanFeature,
  type PlanName,
  type Plans,
} from "../../core/access/plan.ts";
import { Notice } from "./state.tsx";
import { Words } from "./words.tsx";

const capitalised = (name: PlanName): string => name.slice(0, 1).toUpperCase() + name.slice(1);

/** The plans that include a feature, as a list in words. */
export function plansWith(plans: Plans, feature: PlanFeature): string {
  const names = planNames.filter((name) => planIncludes(plans[name], feature)).map(capitalised);
  const last = names.pop();
  if (last === undefined) return "no plan of this service";
  return names.length === 0 ? last : `${names.join(", ")} and ${last}`;
}

/** Shows that the plan lacks a feature, and which plans have it; nothing if the plan has it. */
export function PlanNotice({
  plans,
  plan,
  feature,
  children,
}: {
  plans: Plans;
  plan: PlanName;
  feature: PlanFeature;
  children: string;
}) {
  if (planIncludes(plans[plan], feature)) return null;
  return (
    <Notice means="watch">
      <p>
        {children} This account is on {capitalised(plan)}. The feature is part of {plansWith(plans, feature)}.
        <HowToChangePlan />
      </p>
    </Notice>
  );
}

/** The next step of somebody whose plan lacks something. */
export const HowToChangePlan = () => (
  <>
    The operator of this service changes the plan of an account with{" "}
    <Words of="tickmark account set-plan E-MAIL PLAN" />.
  </>
);
