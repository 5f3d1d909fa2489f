import type { ComponentChildren } from "preact";
import { z } from "zod";
import type { TypedEndpoint } from "../../contract/endpoint/endpoint.ts";
import type { Page } from "../../contract/endpoint/page.ts";
import { hasSession, type Attempt } from "../request-input.ts";
import type { PageRequest } from "../page.ts";
import { EmptyList } from "./empty-list.tsx";
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
  /** Names in the address that exclude entries. */
  readonly filters: readonly string[];
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
  filters,
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
  return (
    <EmptyList query={request.query} now={request.now} one={one} all={all} filters={filters}>
      <Empty
        title={request.query.get("mine") === "true" ? `No ${one}s of yours yet` : `No ${one}s yet`}
        next={
          hasSession(request) ? <a href="/servers#link">Link a server</a> : <a href="/sign-in">Sign in</a>
        }
      >
        {children}
      </Empty>
    </EmptyList>
  );
}

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

/** The filters of a list. `mine` is none: a new visitor looks only for own entries. */
export const filtersOf = ({ input }: TypedEndpoint): string[] =>
  input instanceof z.ZodObject
    ? Object.keys(input.shape).filter((name) => !["limit", "cursor", "mine"].includes(name))
    : [];
