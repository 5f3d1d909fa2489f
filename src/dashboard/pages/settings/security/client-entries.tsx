import { Copyable } from "../../../parts/copyable.tsx";
import { RenderedGuide } from "../../docs/guide-text.tsx";
import { readMarkdown, type MarkdownBlock } from "../../docs/markdown.ts";

/** How to connect one client, from the guide. */
interface ClientEntry {
  readonly name: string;
  readonly blocks: readonly MarkdownBlock[];
}

/** The guide's placeholder for the address of a service. */
const guideAddress = "http://127.0.0.1:8080";

interface ClientEntriesProps {
  /** The text of the guide `clients`. */
  readonly guide: string;
  readonly baseUrl: string;
}

/** The guide's sections, with this service's address. */
function clientEntries({ guide, baseUrl }: ClientEntriesProps): ClientEntry[] {
  const text = guide.replaceAll(guideAddress, baseUrl);
  const entries: { name: string; blocks: MarkdownBlock[] }[] = [];
  for (const block of readMarkdown(text)) {
    if (block.kind === "heading" && block.level === 2) entries.push({ name: block.text, blocks: [] });
    else entries.at(-1)?.blocks.push(block);
  }
  return entries;
}

export function ClientEntries(props: ClientEntriesProps) {
  return (
    <div class="stack-half">
      {clientEntries(props).map(({ name, blocks }, client) => (
        <details key={name} name="client">
          <summary>{name}</summary>
          <div class="stack-half">
            {blocks.map((block, index) =>
              block.kind === "code" ? (
                <Copyable key={index} id={`client-${client}-${index}`} what={`the entry of ${name}`}>
                  {block.text}
                </Copyable>
              ) : (
                <RenderedGuide key={index} blocks={[block]} />
              ),
            )}
          </div>
        </details>
      ))}
    </div>
  );
}
