import type { Fail } from "../../contract/call/context.ts";
import type { StatusPageChoice, ShownServer } from "../../core/status-page/status-page.ts";

interface SentChoice {
  readonly title: string;
  readonly shows_players: boolean;
  readonly servers: readonly ShownServer[];
}

/** Refuses texts that moderation does not allow. */
export function choiceOf(
  { title, shows_players, servers }: SentChoice,
  isAcceptable: (text: string) => boolean,
  fail: Fail<"text_rejected">,
): StatusPageChoice {
  for (const text of [title, ...servers.map(({ name }) => name)])
    if (!isAcceptable(text))
      fail("text_rejected", "The title or a name contains words that cannot be published here. Rephrase it.");
  return { title, showsPlayers: shows_players, servers };
}

/** Does not say whose page has the address. */
export const takenWords = "Another status page has this address. Choose another one, or leave it empty.";
