import type { ServerEvent } from "../../../../core/event/server-event.ts";
import { State, type Meaning } from "../../../parts/state.tsx";

const meanings: Readonly<Partial<Record<ServerEvent["severity"], Meaning>>> = {
  warning: "watch",
  error: "bad",
};

/** Only a warning and an error stand out. */
export function Severity({ severity }: { severity: ServerEvent["severity"] }) {
  const means = meanings[severity];
  return means ? <State means={means}>{severity}</State> : <span class="small quiet">{severity}</span>;
}
