import type { ComponentChildren } from "preact";
import { Rows } from "../frame.tsx";

export interface ShownColumn<R> {
  readonly head: string;
  readonly cell: (row: R) => ComponentChildren;
  /** Numbers are aligned right. */
  readonly number?: boolean;
  /** On a narrow screen the cell takes the whole line. */
  readonly wide?: boolean;
  /** On a narrow screen the cell needs no label. */
  readonly plain?: boolean;
}

interface TableProps<R> {
  /** For screen readers. */
  readonly caption: string;
  readonly rows: readonly R[];
  readonly columns: readonly ShownColumn<R>[];
  readonly rowKey: (row: R, index: number) => string;
}

/** Nothing without rows. On a narrow screen each row becomes a block of labelled values. */
export function Table<R>({ caption, rows, columns, rowKey }: TableProps<R>) {
  if (rows.length === 0) return null;
  return (
    <div class="table">
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ head, number }) => (
              <th key={head} scope="col" class={number ? "number" : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Rows
            of={rows.map((row, index) => () => (
              <tr key={rowKey(row, index)}>
                {columns.map(({ head, cell, number, wide, plain = false }, at) => (
                  <td
                    key={head}
                    data-head={at === 0 || plain ? undefined : head}
                    class={number ? "number" : wide ? "wide" : undefined}
                  >
                    {/* On a narrow screen the label of the cell stands before this element. */}
                    <div>{cell(row)}</div>
                  </td>
                ))}
              </tr>
            ))}
          />
        </tbody>
      </table>
    </div>
  );
}

interface NextPageProps {
  readonly cursor: string | null;
  readonly query: URLSearchParams;
  /** The link's text; "Older" suits lists that are newest first. */
  readonly more?: string;
}

/** Links to the next page with the same filters. */
export function NextPage({ cursor, query, more = "Older" }: NextPageProps) {
  if (cursor === null) return null;
  const next = new URLSearchParams(query);
  next.set("cursor", cursor);
  return (
    <nav class="next" aria-label="Pages">
      <a href={`?${next}`}>{more}</a>
    </nav>
  );
}

export function Facts({ of }: { of: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
