import type { Refusal } from "../../core/errors.ts";
import { problemDocument } from "./status-document.tsx";

/** In place of a status page. */
export function statusProblem({ code, message }: Refusal, asset: (name: string) => string): string {
  const title = code === "not_found" ? "No status page here" : "The status page is not available now";
  return problemDocument({
    title,
    asset,
    text: code === "not_found" ? "There never was one at this address, or its owner withdrew it." : message,
  });
}
