import { channels, type Delivery } from "../../core/alert/delivery.ts";
import type { Instant } from "../../core/time.ts";
import { channelNames, deliveryMeanings, deliveryWords, endWords } from "../words/alerts.ts";
import { State } from "./state.tsx";
import { Table } from "./table.tsx";
import { Age } from "./value.tsx";

/** The result of each channel, in words. */
export function DeliveryTrail({ delivery, now }: { delivery: Delivery; now: Instant }) {
  const hasEnd = channels.some((channel) => delivery[channel].resolved_status !== null);
  return (
    <Table
      caption="Messages by channel"
      rows={channels}
      rowKey={(channel) => channel}
      columns={[
        { head: "Channel", cell: (channel) => channelNames[channel] },
        {
          head: "Result",
          wide: true,
          cell: (channel) => (
            <>
              <State means={deliveryMeanings[delivery[channel].status]}>{delivery[channel].status}</State>{" "}
              {deliveryWords(channel, delivery[channel])}.
            </>
          ),
        },
        {
          head: "When",
          cell: (channel) =>
            delivery[channel].at === null ? (
              <span class="quiet">-</span>
            ) : (
              <Age at={delivery[channel].at} now={now} />
            ),
        },
        ...(hasEnd
          ? [
              {
                head: "Message at the end",
                cell: (channel: (typeof channels)[number]) => {
                  const status = delivery[channel].resolved_status;
                  return status === null ? <span class="quiet">-</span> : endWords[status];
                },
              },
            ]
          : []),
      ]}
    />
  );
}
