import type { ComponentChildren } from "preact";
import { longestUploadMib } from "../../../core/import/longest-upload.ts";
import { usePageContext } from "../../frame.tsx";

interface UploadProps {
  /** What is accepted, as a phrase without a full stop. */
  readonly takes: string;
  /** Extensions that are offered first. */
  readonly accept: string;
  /** Instructions without a script. */
  readonly children: ComponentChildren;
}

export function UploadForm({ takes, accept, children }: UploadProps) {
  const { csrfToken, path } = usePageContext();
  return (
    <>
      <form class="form" data-upload={path} data-token={csrfToken} hidden>
        <div class="field">
          <label for="upload-file">File</label>
          <span class="hint" id="upload-takes">
            {takes}, {longestUploadMib} MiB at most.
          </span>
          <input id="upload-file" type="file" accept={accept} aria-describedby="upload-takes" required />
        </div>
        <button type="submit">Upload</button>
        <p role="status" />
      </form>
      <details>
        <summary>From a terminal or a plugin</summary>
        <div class="stack">{children}</div>
      </details>
    </>
  );
}

/** Uploads a file as the plugin does. */
export function UploadCommand({ url, type, file }: { url: string; type: string; file: string }) {
  return (
    <pre>
      <code>{`curl -X POST ${url} \\
  -H "Authorization: Bearer $SERVER_CREDENTIAL" \\
  -H "Content-Type: ${type}" \\
  --data-binary @${file}`}</code>
    </pre>
  );
}
