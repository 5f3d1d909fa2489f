import { tickTimeOf } from "./late-ticks.ts";
import type { ServerState } from "../server/status.ts";
import { shownTime } from "../text/plain-words.ts";
import type { Instant } from "../time.ts";
import type { HealthFacts } from "./facts.ts";
import type { HealthVerdict } from "./health.ts";
import { judgedAt, medianNow, nowWords, oneDecimal, type FoundProblem } from "./rules/rule.ts";
import { startingText, type Headline, type StoredHeadline } from "./stored-headline.ts";

/** `answersPing` is null where no ping is measured. */
export function unresponsiveText(answersPing: boolean | null): string {
  if (answersPing === null) return "The server's process runs, but its main thread does not tick.";
  return answersPing
    ? "The server answers a ping, but its main thread does not tick."
    : "The server's process runs, but answers nothing: its main thread does not tick, and a ping gets no answer.";
}

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
        text: unresponsiveText(null),
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

function plainHeadline(facts: HealthFacts, verdict: HealthVerdict): StoredHeadline {
  const { state, stateSince } = facts;
  if (state !== "running" && state !== "unresponsive" && state !== "unreachable")
    return stateHeadline(state, stateSince);
  const judged = judgedAt(facts);
  if (judged !== null) return { code: "starting", text: startingText(judged, facts.to), judgedAt: judged };
  if (verdict === "unknown") return { code: "no_data", text: "Neither TPS nor MSPT is measured." };
  const mspt = medianNow(facts, "mspt");
  if (mspt === null) return nothingWrong;
  const budget = oneDecimal(tickTimeOf(medianNow(facts, "target_tps")));
  const ticks = `Ticks take ${oneDecimal(mspt)} ms of the ${budget} ms they have (${nowWords}).`;
  return { ...nothingWrong, text: `${nothingWrong.text} ${ticks}` };
}

/** The sentence of `leading`, the first that `findingsOf` ranks: constant, with figures, never with third-party names. */
export const headlineOf = (
  facts: HealthFacts,
  verdict: HealthVerdict,
  leading: FoundProblem | null,
): StoredHeadline => {
  if (leading === null || verdict === "stopped" || verdict === "unknown")
    return plainHeadline(facts, verdict);
  const { code, text } = leading;
  return code === "server_down" && facts.ended ? { code, text, ended: facts.ended } : { code, text };
};
