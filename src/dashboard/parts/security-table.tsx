import type { PersonAnswer } from "../../contract/call/call-as-person.ts";
import type { Instant } from "../../core/time.ts";
import type { listSecurityEvents } from "../../actions/security-log/list-security-events.ts";
import { securityWords } from "../words/security.ts";
import { AccountLink, When } from "./log-cells.tsx";
import { State } from "./state.tsx";
import { Table } from "./table.tsx";
import { Text } from "./value.tsx";

export const securityPath = "/settings/security/log";

type Row = PersonAnswer<typeof listSecurityEvents>["data"][number];

/** Refused attempts and changes. Admins also see the account. */
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
        ...(withAccounts
          ? [
              {
                head: "Account",
                cell: ({ account }: Row) =>
                  account === null ? <span class="quiet">none</span> : <AccountLink of={account} />,
              },
            ]
          : []),
        { head: "From", cell: ({ address }) => address ?? <span class="quiet">not recorded</span> },
      ]}
    />
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
