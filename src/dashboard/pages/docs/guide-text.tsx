import type { ComponentChildren } from "preact";
import { readInline, type MarkdownBlock, type Inline } from "./markdown.ts";

/** Without the first heading, which is the page's. */
export function RenderedGuide({ blocks }: { blocks: readonly MarkdownBlock[] }) {
  return (
    <div class="prose">
      {blocks.map((block, index) => (
        <BlockOf key={index} block={block} />
      ))}
    </div>
  );
}

function BlockOf({ block }: { block: MarkdownBlock }) {
  switch (block.kind) {
    case "heading":
      return <Heading level={block.level} id={block.id} text={block.text} />;
    case "paragraph":
      return (
        <p>
          <Line text={block.text} />
        </p>
      );
    case "list": {
      const items = block.items.map((text, index) => (
        <li key={index}>
          <Line text={text} />
        </li>
      ));
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case "code":
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      );
    case "table":
      return <TableOf head={block.head} rows={block.rows} />;
  }
}

function Heading({ level, id, text }: { level: number; id: string; text: string }) {
  const line = (
    <a class="anchor" href={`#${id}`}>
      <Line text={text} />
    </a>
  );
  if (level <= 2) return <h2 id={id}>{line}</h2>;
  return level === 3 ? <h3 id={id}>{line}</h3> : <h4 id={id}>{line}</h4>;
}

function TableOf({ head, rows }: { head: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    <div class="table">
      <table>
        <thead>
          <tr>
            {head.map((text) => (
              <th key={text} scope="col">
                <Line text={text} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((text, index) => (
                <td key={index} data-head={head[index]}>
                  <Line text={text} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export const Line = ({ text }: { text: string }) => <Parts of={readInline(text)} />;

const Parts = ({ of }: { of: readonly Inline[] }) => (
  <>
    {of.map((part, index) => (
      <PartOf key={index} part={part} />
    ))}
  </>
);

function PartOf({ part }: { part: Inline }): ComponentChildren {
  switch (part.kind) {
    case "text":
      return part.text;
    case "code":
      return <code>{part.text}</code>;
    case "strong":
      return (
        <strong>
          <Parts of={part.parts} />
        </strong>
      );
    case "emphasis":
      return (
        <em>
          <Parts of={part.parts} />
        </em>
      );
    case "link":
      return (
        <a href={part.href}>
          <Parts of={part.parts} />
        </a>
      );
  }
}
