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
  /** The singular name of the listed things. */
  readonly one: string;
  /** The path of the list without filters. */
  readonly all: string;
  readonly rows: (data: readonly T[]) => ComponentChildren;
  /** PageContent if the list is empty: how to create the first entry. */
  readonly children: ComponentChildren;
}

/** A list, newest first, or the reason why it is empty. */
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
  if ([...request.query.values()].some((value) => value !== ""))
    return (
      <Empty title={`No ${one} matches`}>
        <p>
          Widen the filters, or <a href={all}>show all</a>.
        </p>
      </Empty>
    );
  return (
    <Empty title={`No ${one}s yet`}>
      {children}
      <p>{hasSession(request) ? <a href="/servers">Link a server</a> : <a href="/sign-in">Sign in</a>}</p>
    </Empty>
  );
}

/** Chooses between all visible entries and the visitor's own; only for signed-in visitors. */
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

/** Choices of a filter: each value, and "Any". */
export const anyChoice = (values: readonly string[]) =>
  [["", "Any"] as const, ...values.map((value) => [value, value] as const)] as const;
