import { State } from "../../../parts/state.tsx";
import { channelNames, deliveryMeanings, deliveryWords } from "../../../words/alerts.ts";
import type { OutsideChannel } from "../../../../core/notice/channel.ts";
import type { Delivery } from "../../../../core/alert/delivery.ts";

export function TestMessageResult({
  tested: { channel, delivery },
}: {
  tested: { readonly channel: OutsideChannel; readonly delivery: Delivery["email"] };
}) {
  return (
    <div class="notice" role="status">
      {channelNames[channel]}, test message:{" "}
      <State means={deliveryMeanings[delivery.status]}>{delivery.status}</State>{" "}
      {deliveryWords(channel, delivery)}
    </div>
  );
}
