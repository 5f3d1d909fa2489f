import { channels, type Channel } from "../../core/alert/delivery.ts";
import { usePageContext } from "../frame.tsx";
import { channelNames } from "../words/alerts.ts";
import { Check } from "./form.tsx";

/** The switches of a rule as the API names them. */
export type Switches = Readonly<Record<`notify_${Channel}`, boolean>>;

/** What a form says of the channels: a box that is not ticked is not sent. */
export const switchesIn = (form: URLSearchParams): Record<`notify_${Channel}`, boolean> => ({
  notify_email: form.has("notify_email"),
  notify_chat: form.has("notify_chat"),
  notify_in_app: form.has("notify_in_app"),
});

/** Boxes for the channels of a rule; after a refusal of `of` they stand as they were sent. */
export function ChannelChecks({ switches, of }: { switches: Switches; of: string }) {
  const { problem } = usePageContext();
  const shown = problem?.action === of ? switchesIn(problem.form) : switches;
  return (
    <fieldset>
      <legend>Tell over</legend>
      {channels.map((channel) => (
        <Check
          key={channel}
          name={`notify_${channel}`}
          label={channelNames[channel]}
          checked={shown[`notify_${channel}`]}
        />
      ))}
      <p class="hint">
        <a href="/settings/notifications">Where e-mail and chat go</a>
      </p>
    </fieldset>
  );
}

/** The channels that are on, as a list in a line. */
export const channelsOn = (switches: Switches): string =>
  channels
    .filter((channel) => switches[`notify_${channel}`])
    .map((channel) => channelNames[channel])
    .join(", ") || "none: nobody is told";
