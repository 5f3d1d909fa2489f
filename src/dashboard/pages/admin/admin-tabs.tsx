import { Tabs } from "../../parts/tabs.tsx";

/** The pages of those who run the service. */
export const AdminTabs = () => (
  <Tabs
    of="Administration"
    links={[
      ["/admin", "Service"],
      ["/admin/accounts", "Accounts"],
      ["/admin/invitations", "Invitations"],
      ["/admin/offers", "Offers"],
      ["/admin/security", "Security"],
    ]}
  />
);
