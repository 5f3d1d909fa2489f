import { z } from "zod";
import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { linkDays } from "../../../../core/profile/profile-link.ts";
import type { Instant } from "../../../../core/time.ts";
import { createProfileLink } from "../../../../actions/profile/create-profile-link.ts";
import type { listProfileLinks } from "../../../../actions/profile/list-profile-links.ts";
import { revokeProfileLink } from "../../../../actions/profile/revoke-profile-link.ts";
import type { ActionResult, PageRequest, Submission } from "../../../page.ts";
import { Button, Choice, Form } from "../../../parts/form.tsx";
import { ProfileLinksTable } from "../../../parts/profile-links-table.tsx";
import { ShownOnce } from "../../../parts/shown-once.tsx";
import { Card } from "../../../parts/state.tsx";
import { Time } from "../../../parts/value.tsx";

interface ShareCardProps {
  readonly links: PersonAnswer<typeof listProfileLinks>["data"];
  readonly now: Instant;
}

export function ShareCard({ links, now }: ShareCardProps) {
  return (
    <Card title="Share" id="share">
      <p>
        Everybody who has a link sees the flame graph, the hot methods and the table of this profile without
        an account: names of methods, classes and plugins with their shares, and nothing else.{" "}
        <a href="/settings/security/profile-links">All links of the account</a>
      </p>
      <ProfileLinksTable caption="Links to this profile" links={links} now={now} />
      <Form does="make-link" class="form inline">
        <Choice
          name="days"
          label="Good for"
          of="make-link"
          value="7"
          options={linkDays.map((days) => [String(days), days === 1 ? "1 day" : `${days} days`])}
        />
        <Button>Make a link</Button>
      </Form>
    </Card>
  );
}

const idsOf = ({ params }: PageRequest) => ({
  server_id: params["id"] ?? "",
  profile_id: params["profile"] ?? "",
});
const pathOf = (request: PageRequest): string =>
  `/servers/${request.params["id"]}/profiles/${request.params["profile"]}`;

/** Shows the address of the new link once. */
export async function makeLink(sent: Submission<SessionCaller>): Promise<ActionResult> {
  const days = z.coerce.number().catch(0).parse(sent.form.get("days"));
  const { secret, link } = await sent.call(createProfileLink, { ...idsOf(sent), days });
  return {
    title: "Link made",
    body: (
      <>
        <h1>Link made</h1>
        <ShownOnce id="profile-link" secret={`${sent.baseUrl}/shared/profiles/${secret}`}>
          The link is shown only once and is not stored. It is good until <Time at={link.expires_at} />, or
          until you revoke it on the page of the profile.
        </ShownOnce>
        <p>
          <a href={`${pathOf(sent)}#share`}>Back to the profile</a>
        </p>
      </>
    ),
  };
}

export async function revokeLink(sent: Submission<SessionCaller>): Promise<ActionResult> {
  await sent.call(revokeProfileLink, { link_id: sent.form.get("link") ?? "" });
  return { to: `${pathOf(sent)}#share` };
}
