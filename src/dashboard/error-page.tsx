import type { Refusal } from "../core/errors.ts";
import type { Shown } from "./page.ts";

const titles: Readonly<Record<number, string>> = {
  401: "Sign in first",
  403: "Not allowed",
  404: "Not found",
  429: "Too often",
  500: "Something went wrong",
  503: "Not now",
};

/** What stands in the place of a page that cannot be shown: why, and where to go. */
export function errorPage({ status, message, code }: Refusal): Shown {
  const title = titles[status] ?? "This did not work";
  return {
    title,
    status,
    narrow: true,
    body: (
      <section class="empty">
        <h1>{title}</h1>
        <p>
          {code === "not_found" ? "There is nothing here, or nothing that this account may see." : message}
        </p>
        <p>
          <a href="/">To the start</a>
        </p>
      </section>
    ),
  };
}
