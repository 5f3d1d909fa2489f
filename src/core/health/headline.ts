import type { ServerState } from "../server/status.ts";
import { shownTime } from "../text/plain-words.ts";
import type { Instant } from "../time.ts";
import type { HealthFacts } from "./facts.ts";
import type { HealthVerdict, ServerHealth } from "./health.ts";
import { isStarting, medianNow, oneDecimal, type FoundProblem } from "./rules/rule.ts";

type Headline = ServerHealth["headline"];

/** For a server of which only the state is known or matters. */
export function stateHeadline(state: ServerState, stateSince: Instant | null): Headline {
  switch (state) {
    case "unreachable":
      return {
        code: "server_down",
        text:
          stateSince === null
            ? "The server sends nothing."
            : `The server has sent nothing since ${shownTime(stateSince)}, and announced no stop.`,
      };
    case "unresponsive":
      return {
        code: "server_unresponsive",
        text: "The server answers, but its main thread does not tick.",
      };
    case "stopped":
    case "paused": {
      const since = stateSince === null ? "" : ` since ${shownTime(stateSince)}`;
      return { code: state, text: `The server announced that it is ${state}${since}.` };
    }
    case "never_seen":
      return { code: "never_seen", text: "The server has never sent anything." };
    case "not_monitored":
      return { code: "not_monitored", text: "The server is not monitored." };
    case "paused_empty":
      return { code: "paused_empty", text: "The server pauses because nobody is online." };
    case "running":
      return { code: "no_data", text: "The server runs. Its next evaluation follows within a minute." };
  }
}

export const nothingWrong: Headline = { code: "healthy", text: "Nothing is wrong." };

function plainHeadline(facts: HealthFacts, verdict: HealthVerdict): Headline {
  const { state, stateSince } = facts;
  if (state !== "running" && state !== "unresponsive" && state !== "unreachable")
    return stateHeadline(state, stateSince);
  if (isStarting(facts)) return { code: "starting", text: "The server started less than 10 minutes ago." };
  if (verdict === "unknown") return { code: "no_data", text: "Neither TPS nor MSPT is measured." };
  const mspt = medianNow(facts, "mspt");
  if (mspt === null) return nothingWrong;
  const ticks = `Ticks take ${oneDecimal(mspt)} ms of the 50 ms they have.`;
  return { ...nothingWrong, text: `${nothingWrong.text} ${ticks}` };
}

/** One constant sentence with figures, never with third-party names. */
export const headlineOf = (
  facts: HealthFacts,
  verdict: HealthVerdict,
  leading: FoundProblem | null,
): Headline =>
  leading === null || verdict === "stopped" || verdict === "unknown"
    ? plainHeadline(facts, verdict)
    : { code: leading.code, text: leading.text };
