import type { PersonAnswer } from "../../contract/call/call-as-person.ts";
import type { Instant } from "../../core/time.ts";
import type { listProfileLinks } from "../../actions/profile/list-profile-links.ts";
import { Button, Form } from "./form.tsx";
import { Table, type ShownColumn } from "./table.tsx";
import { Age, Time } from "./value.tsx";

type Link = PersonAnswer<typeof listProfileLinks>["data"][number];

interface ProfileLinksTableProps<L> {
  readonly caption: string;
  readonly links: readonly L[];
  /** Columns before the times of a link. */
  readonly first?: readonly ShownColumn<L>[];
  readonly now: Instant;
}

/** Each row has a button that sends the action `revoke-link`. */
export function ProfileLinksTable<L extends Link>(props: ProfileLinksTableProps<L>) {
  const { caption, links, first = [], now } = props;
  return (
    <Table
      caption={caption}
      rows={links}
      rowKey={({ id }) => id}
      columns={[
        ...first,
        { head: "Made", cell: ({ created_at }) => <Age at={created_at} now={now} /> },
        { head: "Good until", cell: ({ expires_at }) => <Time at={expires_at} /> },
        {
          head: "",
          cell: ({ id }) => (
            <Form does="revoke-link" hidden={{ link: id }} class="form inline">
              <Button plain>Revoke</Button>
            </Form>
          ),
        },
      ]}
    />
  );
}
