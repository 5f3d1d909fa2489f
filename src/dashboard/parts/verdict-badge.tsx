import type { ShownVerdict } from "../words/late-now.ts";
import { verdictMeanings } from "../words/health.ts";
import { State } from "./state.tsx";

export const VerdictBadge = ({ verdict }: { verdict: ShownVerdict }) => (
  <State means={verdict === "slow now" ? "watch" : verdictMeanings[verdict]}>{verdict}</State>
);
