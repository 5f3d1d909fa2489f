import type { ComponentChildren } from "preact";
import type { Page } from "../../contract/endpoint/page.ts";
import { hasSession, type Attempt } from "../request-input.ts";
import type { PageRequest } from "../page.ts";
import { Choice } from "./form.tsx";
import { Card, Empty, Notice } from "./state.tsx";
import { NextPage } from "./table.tsx";

interface ListingProps<T> {
  readonly request: PageRequest;
  readonly answered: Attempt<Page<T>>;
  /** The singular of what is listed. */
  readonly one: string;
  /** The path of the list without filters. */
  readonly all: string;
  readonly rows: (data: readonly T[]) => ComponentChildren;
  /** For an empty list: how to create the first entry. */
  readonly children: ComponentChildren;
}

/** A list, or the reason why it is empty. */
export function Listing<T>({
  request,
  answered: { value, refusal },
  one,
  all,
  rows,
  children,
}: ListingProps<T>) {
  if (refusal) return <Notice means="bad">{refusal.message}</Notice>;
  if (value.data.length > 0)
    return (
      <Card title="Newest first">
        {rows(value.data)}
        <NextPage cursor={value.page.cursor} query={request.query} />
      </Card>
    );
  if (isFiltered(request)) return <Empty title={`No ${one} matches`} next={<ShowAll at={all} />} />;
  return (
    <Empty
      title={request.query.get("mine") === "true" ? `No ${one}s of yours yet` : `No ${one}s yet`}
      next={hasSession(request) ? <a href="/servers#link">Link a server</a> : <a href="/sign-in">Sign in</a>}
    >
      {children}
    </Empty>
  );
}

/** `mine` does not count: a new visitor looks only for own entries. */
const isFiltered = ({ query }: PageRequest): boolean =>
  [...query].some(([name, value]) => name !== "mine" && value !== "");

const ShowAll = ({ at }: { at: string }) => (
  <p>
    Widen the filters, or <a href={at}>show all</a>.
  </p>
);

/** For signed-in visitors only: all visible entries, or the visitor's own. */
export function Whose({ request }: { request: PageRequest }) {
  if (!hasSession(request)) return null;
  return (
    <Choice
      name="mine"
      label="Whose"
      value={request.query.get("mine")}
      options={[
        ["", "All that I may see"],
        ["true", "My own"],
      ]}
    />
  );
}

export const anyChoice = (values: readonly string[]) =>
  [["", "Any"] as const, ...values.map((value) => [value, value] as const)] as const;
