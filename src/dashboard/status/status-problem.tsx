import type { Refusal } from "../../core/errors.ts";
import { statusDocument } from "./status-document.tsx";

/** The document that is shown in place of a status page. */
export function statusProblem({ code, message }: Refusal, asset: (name: string) => string): string {
  const title = code === "not_found" ? "No status page here" : "The status page is not available now";
  return statusDocument({
    title,
    asset,
    children: (
      <section class="empty">
        <h1>{title}</h1>
        <p>
          {code === "not_found" ? "There never was one at this address, or its owner withdrew it." : message}
        </p>
      </section>
    ),
  });
}
