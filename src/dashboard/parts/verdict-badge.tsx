import type { ShownVerdict } from "../words/late-now.ts";
import { verdictMeanings } from "../words/health.ts";
import { State } from "./state.tsx";

/** The verdict on a server's health as shape, word and colour. */
export const VerdictBadge = ({ verdict }: { verdict: ShownVerdict }) => (
  <State means={verdict === "slow now" ? "watch" : verdictMeanings[verdict]}>{verdict}</State>
);
