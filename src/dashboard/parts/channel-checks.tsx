import { channels, type Channel } from "../../core/alert/delivery.ts";
import { usePageContext } from "../frame.tsx";
import { channelNames } from "../words/alerts.ts";
import { Check } from "./form.tsx";

/** The switches of a rule, as the API names them. */
export type Switches = Readonly<Record<`notify_${Channel}`, boolean>>;

/** A box that is not ticked is not sent. */
export const switchesIn = (form: URLSearchParams): Record<`notify_${Channel}`, boolean> => ({
  notify_email: form.has("notify_email"),
  notify_chat: form.has("notify_chat"),
  notify_in_app: form.has("notify_in_app"),
});

const inAppAlone: Switches = { notify_email: false, notify_chat: false, notify_in_app: true };

/** A new rule has no switches yet. After a refusal of the action `of` the boxes keep what was sent. */
export function ChannelChecks({ switches, of }: { switches: Switches | null; of: string }) {
  const { problem } = usePageContext();
  const shown = problem?.action === of ? switchesIn(problem.form) : (switches ?? inAppAlone);
  return (
    <fieldset>
      <legend>Notify by</legend>
      {channels.map((channel) => (
        <Check
          key={channel}
          name={`notify_${channel}`}
          label={channelNames[channel]}
          checked={shown[`notify_${channel}`]}
        />
      ))}
      <p class="hint">
        <a href="/settings/notifications">Set the e-mail address and the chat</a>
      </p>
    </fieldset>
  );
}

export const channelsOn = (switches: Switches): string =>
  channels
    .filter((channel) => switches[`notify_${channel}`])
    .map((channel) => channelNames[channel])
    .join(", ") || "no channel: nobody is notified";
