import { Tabs } from "../../parts/tabs.tsx";

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
