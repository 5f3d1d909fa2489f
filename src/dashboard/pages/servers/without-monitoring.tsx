import type { Account } from "../../../core/access/account.ts";
import { HowToChangePlan } from "../../parts/plan.tsx";
import { capitalised } from "../../words/capitalised.ts";
import { Notice } from "../../parts/state.tsx";

export function WithoutMonitoring({ account }: { account: Account }) {
  return (
    <Notice>
      The plan {capitalised(account.plan)} does not include monitoring, so there are no charts, no timeline
      and no maintenance. Benchmark reports, profiles and memory reports of this server are still accepted.{" "}
      <HowToChangePlan account={account} />
    </Notice>
  );
}
