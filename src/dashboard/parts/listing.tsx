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
  /** What one of them is called. */
  readonly one: string;
  /** Where all of them are listed. */
  readonly all: string;
  readonly rows: (data: readonly T[]) => ComponentChildren;
  /** How the first one comes here. */
  readonly children: ComponentChildren;
}

/** What an account and everybody made, newest first; or why there is nothing to see. */
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

/** Chooses between one's own and all one may see; only who is signed in has any. */
export function Whose({ request }: { request: PageRequest }) {
  if (!hasSession(request)) return null;
  return (
    <Choice
      name="mine"
      label="Whose"
      value={request.query.get("mine")}
      options={[
        ["", "All I may see"],
        ["true", "My own"],
      ]}
    />
  );
}

/** Choices of a filter that each say themselves, and one for none of them. */
export const anyChoice = (values: readonly string[]) =>
  [["", "Any"] as const, ...values.map((value) => [value, value] as const)] as const;
