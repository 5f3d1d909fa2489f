import type { HealthVerdict } from "../../core/health/health.ts";
import { verdictMeanings } from "../words/health.ts";
import { State } from "./state.tsx";

/** The verdict on a server's health as shape, word and colour. */
export const VerdictBadge = ({ verdict }: { verdict: HealthVerdict }) => (
  <State means={verdictMeanings[verdict]}>{verdict}</State>
);
