import type { Answered } from "../../contract/call-as-person.ts";
import type { Instant } from "../../core/time.ts";
import type { listSecurityEvents } from "../../endpoints/web/security/list-security-events.ts";
import { securityWords } from "../words/security.ts";
import { State } from "./state.tsx";
import { Table } from "./table.tsx";
import { Address, Age, Text } from "./value.tsx";

export const securityPath = "/settings/security/log";

type Row = Answered<typeof listSecurityEvents>["data"][number];

/** Refused attempts and changes, a row each; admins see whose account it was as well. */
export function SecurityTable({
  rows,
  now,
  withAccounts = false,
}: {
  rows: readonly Row[];
  now: Instant;
  withAccounts?: boolean;
}) {
  return (
    <Table
      caption="Security events, newest first"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        { head: "Time", cell: (row) => <When row={row} now={now} /> },
        { head: "What", cell: (row) => <What row={row} />, wide: true },
        ...(withAccounts ? [{ head: "Account", cell: ({ account }: Row) => <Account of={account} /> }] : []),
        { head: "From", cell: ({ address }) => address ?? <span class="quiet">not told</span> },
      ]}
    />
  );
}

function When({ row: { at, last_at, times }, now }: { row: Row; now: Instant }) {
  return (
    <>
      <Age at={at} now={now} />
      {times > 1 && (
        <span class="hint">
          {" "}
          {times} times, last <Age at={last_at} now={now} />
        </span>
      )}
    </>
  );
}

function What({ row: { kind, detail, token } }: { row: Row }) {
  const [means, words] = securityWords(kind);
  return (
    <>
      <State means={means}>{words}</State>
      {token !== null && (
        <>
          {" "}
          <Text value={token.name} none="a deleted token" />
        </>
      )}
      {detail !== null && <span class="hint"> {detail}</span>}
    </>
  );
}

function Account({ of }: { of: Row["account"] }) {
  if (of === null) return <span class="quiet">none</span>;
  return (
    <a href={`/admin/accounts/${of.id}`}>
      <Address value={of.email} />
    </a>
  );
}
