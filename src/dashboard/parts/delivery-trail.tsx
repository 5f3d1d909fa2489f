import { absence } from "../words/glossary.ts";
import type { Delivery } from "../../core/alert/delivery.ts";
import type { Instant } from "../../core/time.ts";
import { deliveryMeanings, deliveryWords, endWords, recordsOf } from "../words/alerts.ts";
import { State } from "./state.tsx";
import { Table } from "./table.tsx";
import { Age } from "./value.tsx";

export function DeliveryTrail({ delivery, now }: { delivery: Delivery; now: Instant }) {
  const rows = recordsOf(delivery);
  const hasEnd = rows.some(({ record }) => record.resolved_status !== null);
  return (
    <Table
      caption="Messages by channel"
      rows={rows}
      rowKey={({ name }) => name}
      columns={[
        { head: "Channel", cell: ({ name }) => name },
        {
          head: "Result",
          wide: true,
          cell: ({ channel, record }) => (
            <>
              <State means={deliveryMeanings[record.status]}>{record.status}</State>{" "}
              {deliveryWords(channel, record)}
            </>
          ),
        },
        {
          head: "When",
          cell: ({ record: { at } }) =>
            at === null ? <span class="quiet">{absence.never}</span> : <Age at={at} now={now} />,
        },
        ...(hasEnd
          ? [
              {
                head: "Message at the end",
                cell: ({ record: { resolved_status: status } }: (typeof rows)[number]) => {
                  return status === null ? <span class="quiet">{absence.none}</span> : endWords[status];
                },
              },
            ]
          : []),
      ]}
    />
  );
}
