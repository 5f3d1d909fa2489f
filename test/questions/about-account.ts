import { listServers, type Question } from "./question.ts";

/** The servers as things one owns, and what the caller may do. */
export const aboutAccount: readonly Question[] = [
  {
    asks: "How many calls are left today?",
    account: "hosting",
    calls: [{ tool: "get_token_info" }],
    facts: [
      { at: "/limits/daily/limit", is: 150 },
      { at: "/limits/daily/used", rest: "/token", member: "/limits/daily/used" },
      { at: "/account/plan", is: "hosting" },
    ],
  },
  {
    asks: "What may you do with my account?",
    account: "pro",
    calls: [{ tool: "get_token_info" }],
    facts: [
      { at: "/scopes", rest: "/token", member: "/scopes" },
      { at: "/token/name", is: "Demo" },
    ],
  },
  {
    asks: "Rename Evergreen Creative to Evergreen Builders.",
    account: "pro",
    calls: [
      {
        tool: "update_server",
        args: { server_id: "Evergreen Creative", name: "Evergreen Builders" },
      },
    ],
    facts: [{ at: "/name", is: "Evergreen Builders" }],
    after: [{ rest: "/servers", member: "/data/[name=Evergreen Builders]/owned_by_you", is: true }],
  },
  {
    asks: "Nobody but me is to see Foundry SMP.",
    account: "hosting",
    calls: [
      {
        tool: "update_server",
        args: { server_id: "Foundry SMP", is_public: false, show_address_on_report: false },
      },
    ],
    facts: [
      { at: "/is_public", is: false },
      { at: "/address", is: null },
    ],
    after: [{ rest: "/servers", member: "/data/[name=Foundry SMP]/is_public", is: false }],
  },
  {
    asks: "Make a group for events, in purple.",
    account: "hosting",
    calls: [{ tool: "create_server_group", args: { name: "Events", color: "purple" } }],
    facts: [{ at: "/color", is: "purple" }],
    after: [{ rest: "/server-groups", member: "/data/[name=Events]/server_count", is: 0 }],
  },
  {
    asks: "Put Old Mill where Worldgen Lab is.",
    account: "hosting",
    calls: [
      listServers,
      {
        tool: "set_server_group",
        args: {
          server_id: "Old Mill",
          group_id: { from: "/data/[name=Worldgen Lab]/group_id" },
        },
      },
    ],
    facts: [{ at: "/name", is: "Old Mill" }],
    after: [
      { rest: "/server-groups", member: "/data/[name=Lab]/server_count", is: 2 },
      { rest: "/server-groups", member: "/data/[name=Customers]/server_count", is: 1 },
    ],
  },
  {
    asks: "Which server is in which group?",
    account: "enterprise",
    calls: [{ tool: "list_server_groups" }, listServers],
    facts: [
      { of: 0, at: "/data/[name=Spare]/server_count", is: 3 },
      { at: "/data/[name=Spare Blade]/group_id", rest: "/server-groups", member: "/data/[name=Spare]/id" },
    ],
  },
  {
    asks: "My server printed a code on /bench link: link it.",
    account: "free",
    calls: [{ tool: "link_server", args: { code: { printed: "link_code" } } }],
    facts: [
      { at: "/name", is: "New World" },
      { at: "/owned_by_you", is: true },
    ],
    after: [{ rest: "/servers", member: "/data/[name=New World]/owned_by_you", is: true }],
  },
  {
    asks: "Is my new server linked and heard of?",
    account: "free",
    calls: [{ tool: "list_servers", args: { verified: false } }],
    facts: [
      { at: "/data/0/name", is: "New World" },
      { at: "/data/0/last_heartbeat", is: null },
    ],
  },
];
