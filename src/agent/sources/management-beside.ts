import { secondMs, type Instant } from "../../core/time.ts";
import type { ManagementLink } from "./management.ts";
import type { DatedFact } from "./log-reader.ts";

/** The log tells the same this soon after or before the protocol does, ms; its times are whole seconds. */
const togetherMs = 15 * secondMs;

interface News {
  readonly key: string;
  readonly at: Instant;
}

/** The same text for the same news of both; null for what the protocol does not tell. */
function keyOf({ fact }: DatedFact): string | null {
  if (fact.is === "ready" || fact.is === "stopping") return fact.is;
  if (fact.is !== "moderation") return null;
  const { type, player } = fact.moderation;
  if (type === "kick" || type === "mute") return null;
  return `${type === "tempban" ? "ban" : type} ${player?.toLowerCase() ?? ""}`;
}

/** What the log tells of an act proves nothing unless the server alone can have written it. */
const isCertain = ({ fact }: DatedFact): boolean => fact.is !== "moderation" || fact.moderation.isVerified;

const newsOf = (facts: readonly DatedFact[]): News[] =>
  facts.flatMap((one) => {
    const key = keyOf(one);
    return key === null ? [] : [{ key, at: one.at }];
  });

const isAmong = (news: readonly News[], one: DatedFact): boolean => {
  const key = keyOf(one);
  return key !== null && news.some((known) => known.key === key && Math.abs(known.at - one.at) <= togetherMs);
};

/** Puts the facts of the management protocol beside those of the log; what both tell counts once. */
export class ManagementBeside {
  readonly #link: Pick<ManagementLink, "facts" | "close"> | null;
  #ofProtocol: readonly News[] = [];
  #ofLog: readonly News[] = [];

  constructor(link: Pick<ManagementLink, "facts" | "close"> | null) {
    this.#link = link;
  }

  /** The facts of one reading. Those of the log come first, because they tell more. */
  with(ofLog: readonly DatedFact[], now: Instant): readonly DatedFact[] {
    if (this.#link === null) return ofLog;
    const isRecent = ({ at }: News): boolean => now - at <= 2 * togetherMs;
    const found = this.#link.facts(now);
    this.#ofLog = [...this.#ofLog.filter(isRecent), ...newsOf(ofLog.filter(isCertain))];
    const own = found.filter((one) => !isAmong(this.#ofLog, one));
    this.#ofProtocol = [...this.#ofProtocol.filter(isRecent), ...newsOf(own)];
    return [...ofLog.filter((one) => !isAmong(this.#ofProtocol, one)), ...own];
  }

  close(): void {
    this.#link?.close();
  }
}
