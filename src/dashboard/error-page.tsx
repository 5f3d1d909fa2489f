import type { Refusal } from "../core/errors.ts";
import type { PageContent } from "./page.ts";

const titles: Readonly<Record<number, string>> = {
  401: "Sign in first",
  403: "Not allowed",
  404: "Page not found",
  429: "Too many requests",
  500: "Something went wrong",
  503: "Not available now",
};

export function errorPage({ status, message, code }: Refusal): PageContent {
  const title = titles[status] ?? "This did not work";
  return {
    title,
    status,
    narrow: true,
    body: (
      <section class="empty">
        <h1>{title}</h1>
        <p>{code === "not_found" ? "This page does not exist, or you may not see it." : message}</p>
        <p>
          <a href="/">Go to the start page</a>
        </p>
      </section>
    ),
  };
}
