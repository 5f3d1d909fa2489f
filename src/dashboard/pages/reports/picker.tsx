import { clock } from "../../parts/value.tsx";
import { listReports } from "../../../endpoints/api/report/list-reports.ts";
import { hasSession } from "../../request-input.ts";
import type { PageRequest } from "../../page.ts";
import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import { leadText } from "./score.tsx";

export type ListedReport = PersonAnswer<typeof listReports>["data"][number];

const offered = 50;

/** The suggested reports: the visitor's newest, or the newest public ones without a session. */
export const offeredReports = async (request: PageRequest): Promise<readonly ListedReport[]> =>
  (
    await request.call(listReports, {
      limit: offered,
      ...(hasSession(request) ? { mine: true } : { visibility: "public" as const }),
    })
  ).data;

const listId = "offered-reports";

/** The suggestions of the report fields. */
export function OfferedReports({ reports }: { reports: readonly ListedReport[] }) {
  return (
    <datalist id={listId}>
      {reports.map(({ short_id, scores, server, created_at }) => (
        <option key={short_id} value={short_id}>
          {[leadText(scores), server.type_name ?? server.type, created_at && clock(created_at)]
            .filter(Boolean)
            .join(" · ")}
        </option>
      ))}
    </datalist>
  );
}

interface PickerProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly required?: boolean;
}

/** A field that takes a report's identifier or address. */
export function ReportField({ name, label, value, required = false }: PickerProps) {
  const id = `report-${label.toLowerCase().replaceAll(" ", "-")}`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        type="text"
        list={listId}
        value={value}
        required={required}
        autoComplete="off"
        spellcheck={false}
      />
    </div>
  );
}
