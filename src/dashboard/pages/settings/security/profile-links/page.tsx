import { listOwnProfileLinks } from "../../../../../endpoints/web/profile/list-own-profile-links.ts";
import { revokeProfileLink } from "../../../../../endpoints/web/profile/revoke-profile-link.ts";
import { personPage } from "../../../../page.ts";
import { Button, Form } from "../../../../parts/form.tsx";
import { Card } from "../../../../parts/state.tsx";
import { Table } from "../../../../parts/table.tsx";
import { SettingsTabs } from "../../../../parts/tabs.tsx";
import { Age, Text, Time } from "../../../../parts/value.tsx";

const path = "/settings/security/profile-links";

/** Every link to a profile that the account made and that has not expired, with a button that revokes it. */
export const profileLinksPage = personPage({
  path,

  async show({ call, now }) {
    const { data } = await call(listOwnProfileLinks, {});
    return {
      title: "Shared profiles",
      body: (
        <>
          <h1>Settings</h1>
          <SettingsTabs />
          <Card title="Shared profiles" aside={<a href="/settings/security">Back to Security</a>}>
            <p>
              These are the links to profiles that have not expired. Everybody who has one sees the profile
              without an account. A link itself is shown once, when it is made on the page of the profile.
            </p>
            {data.length === 0 ? (
              <p>No profile is shared.</p>
            ) : (
              <Table
                caption="Links to profiles"
                rows={data}
                rowKey={({ id }) => id}
                columns={[
                  { head: "Profile", wide: true, cell: ({ profile }) => <Profile of={profile} /> },
                  { head: "Made", cell: ({ created_at }) => <Age at={created_at} now={now} /> },
                  { head: "Good until", cell: ({ expires_at }) => <Time at={expires_at} /> },
                  {
                    head: "",
                    cell: ({ id }) => (
                      <Form does="revoke" hidden={{ link: id }} class="form inline">
                        <Button plain>Revoke</Button>
                      </Form>
                    ),
                  },
                ]}
              />
            )}
          </Card>
        </>
      ),
    };
  },

  actions: {
    revoke: async ({ form, call }) => {
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
