import type { Instant } from "../../core/time.ts";
import { Address, Age } from "./value.tsx";

/** When an entry of a log happened, and how often since, where it stands for several. */
export function When({
  row: { at, last_at, times },
  now,
}: {
  row: { readonly at: string; readonly last_at: string; readonly times: number };
  now: Instant;
}) {
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

/** An account by its address, leading to its page for admins. */
export const AccountLink = ({
  of: { id, email },
}: {
  of: { readonly id: string; readonly email: string };
}) => (
  <a href={`/admin/accounts/${id}`}>
    <Address value={email} />
  </a>
);
