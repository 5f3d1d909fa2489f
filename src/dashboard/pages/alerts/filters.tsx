import { AlertStatus } from "../../../core/alert/alert.ts";
import { deliveryChannels } from "../../../core/alert/delivery.ts";
import { channelNames } from "../../words/alerts.ts";
import { Filters } from "../../parts/filters.tsx";
import { Choice } from "../../parts/form.tsx";

export interface ServerChoice {
  readonly id: string;
  readonly name: string | null;
}

export function AlertFilters({
  servers,
  query,
}: {
  servers: readonly ServerChoice[];
  query: URLSearchParams;
}) {
  const rule = query.get("rule_name");
  return (
    <Filters label="Which alerts">
      <Choice
        name="status"
        label="Status"
        value={query.get("status")}
        options={[["", "Any"], ...AlertStatus.options.map((status) => [status, status] as const)]}
      />
      <Choice
        name="server_id"
        label="Server"
        value={query.get("server_id")}
        options={[["", "Any"], ...servers.map(({ id, name }) => [id, name ?? "without a name"] as const)]}
      />
      <Choice
        name="notified"
        label="Somebody was notified"
        value={query.get("notified")}
        options={[
          ["", "Any"],
          ["yes", "Yes"],
          ["no", "No"],
        ]}
      />
      <Choice
        name="channel"
        label="A message went out by"
        value={query.get("channel")}
        options={[
          ["", "Any channel"],
          ...deliveryChannels.map((channel) => [channel, channelNames[channel]] as const),
        ]}
      />
      {rule && <input type="hidden" name="rule_name" value={rule} />}
    </Filters>
  );
}
