import { CopyButton } from "../../parts/copyable.tsx";
import { Labelled } from "../../parts/form.tsx";

/** Without a script the text is selected by hand. */
function Snippet({ id, name, text }: { id: string; name: string; text: string }) {
  return (
    <div class="snippet">
      <Labelled id={id} label={name} hint={undefined}>
        <input id={id} class="mono" value={text} readOnly />
      </Labelled>
      <CopyButton of={id} what={name} />
    </div>
  );
}

/** The embedded images' text for screen readers. */
const alt = "Server status";

const html = (url: string, image: string): string =>
  `<a href="${url}"><img src="${url}/${image}" alt="${alt}"></a>`;
const markdown = (url: string, image: string): string => `[![${alt}](${url}/${image})](${url})`;

/** The images of a status page, with the texts that embed them; `url` is the page's whole address. */
export function Embedded({ url }: { url: string }) {
  const path = new URL(url).pathname;
  return (
    <>
      <p>
        <img src={`${path}/badge.svg`} alt="The badge of this page" height="20" />
      </p>
      <Snippet id="badge-html" name="Badge as HTML" text={html(url, "badge.svg")} />
      <Snippet id="badge-markdown" name="Badge as Markdown" text={markdown(url, "badge.svg")} />
      <p>
        <img class="embedded" src={`${path}/chart.svg`} alt="The chart of this page" />
      </p>
      <Snippet id="chart-html" name="Chart as HTML" text={html(url, "chart.svg")} />
      <Snippet id="chart-markdown" name="Chart as Markdown" text={markdown(url, "chart.svg")} />
      <p class="hint">Browsers and other sites may show an image for up to a minute after it changed.</p>
    </>
  );
}
