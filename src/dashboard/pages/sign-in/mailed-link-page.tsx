import type { VNode } from "preact";
import { checkCode } from "../../../actions/access/check-code.ts";
import { publicPage, type DashboardPage } from "../../page.ts";

interface MailedLink {
  /** With `{code}`. */
  readonly path: string;
  readonly purpose: "verify_email" | "reset_password" | "open_factor";
  readonly title: string;
  /** The title if left out. */
  readonly heading?: string;
  /** Shows what the code does, and the form that does it. */
  readonly Ask: (props: { readonly email: string | null }) => VNode;
  /** Says why the link cannot be used, and what to do. */
  readonly Over: () => VNode;
  readonly actions: DashboardPage["actions"];
}

/** Opening the page changes nothing, because mail scanners open links too. */
export const mailedLinkPage = ({
  path,
  purpose,
  title,
  heading = title,
  Ask,
  Over,
  actions,
}: MailedLink): DashboardPage =>
  publicPage({
    path,
    actions,

    async show({ params, call }, problem) {
      const code = (params["code"] ?? "").slice(0, 200);
      const { usable, email } = await call(checkCode, { code, purpose, again: problem !== null });
      return {
        title,
        narrow: true,
        body: (
          <>
            <h1>{heading}</h1>
            {usable ? <Ask email={email} /> : <Over />}
          </>
        ),
      };
    },
  });
