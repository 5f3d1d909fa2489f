import { listOwnProfileLinks } from "../../../../../actions/profile/list-own-profile-links.ts";
import { revokeProfileLink } from "../../../../../actions/profile/revoke-profile-link.ts";
import { personPage } from "../../../../page.ts";
import { ProfileLinksTable } from "../../../../parts/profile-links-table.tsx";
import { Text, Time } from "../../../../parts/value.tsx";
import { BelowSecurity } from "../../below-security.tsx";
import { Empty } from "../../../../parts/state.tsx";

const path = "/settings/security/profile-links";

/** The account's links to profiles that have not expired. */
export const profileLinksPage = personPage({
  path,

  async show({ call, now }) {
    const { data } = await call(listOwnProfileLinks, {});
    return {
      title: "Shared profiles",
      body: (
        <BelowSecurity title="Shared profiles">
          <p>
            These are the links to profiles that have not expired. Everybody who has one sees the profile
            without an account. A link itself is shown once, when it is made on the page of the profile.
          </p>
          {data.length === 0 ? (
            <Empty
              title="No profile is shared"
              next={
                <p>
                  Open a profile of one of <a href="/servers">your servers</a>, and make a link to it there.
                </p>
              }
            />
          ) : (
            <ProfileLinksTable
              caption="Links to profiles"
              links={data}
              first={[{ head: "Profile", wide: true, cell: ({ profile }) => <Profile of={profile} /> }]}
              now={now}
            />
          )}
        </BelowSecurity>
      ),
    };
  },

  actions: {
    "revoke-link": async ({ form, call }) => {
      await call(revokeProfileLink, { link_id: form.get("link") ?? "" });
      return { to: path };
    },
  },
});

interface Shared {
  readonly id: string;
  readonly server_id: string;
  readonly server_name: string | null;
  readonly uploaded_at: string;
}

function Profile({ of }: { of: Shared | null }) {
  if (of === null)
    return <span class="quiet">a profile that is not kept any more; the link leads nowhere</span>;
  return (
    <>
      <a href={`/servers/${of.server_id}/profiles/${of.id}`}>
        Profile from <Time at={of.uploaded_at} />
      </a>
      <div class="small quiet">
        <Text value={of.server_name} none="Server without a name" />
      </div>
    </>
  );
}
