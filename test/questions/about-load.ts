import { type Question } from "./question.ts";

const profiles = { tool: "list_account_profiles" } as const;
const heaps = { tool: "list_account_memory_reports" } as const;
const foundry = { from: "/data/[server_name=Foundry SMP]/server_id" } as const;

/** What takes the time and the memory of a server. */
export const aboutLoad: readonly Question[] = [
  {
    asks: "Which plugin costs most processor time on my servers?",
    account: "hosting",
    calls: [profiles],
    facts: [
      { at: "/data/[server_name=Foundry SMP]/top_plugin/owner", is: "MarketStalls" },
      { at: "/data/[server_name=Foundry SMP]/trigger", is: "lag" },
    ],
  },
  {
    asks: "What does MarketStalls do all that time on Foundry SMP?",
    account: "hosting",
    calls: [
      profiles,
      {
        tool: "get_profile",
        args: {
          server_id: foundry,
          profile_id: { from: "/data/[server_name=Foundry SMP]/profile_id" },
          owner: "MarketStalls",
        },
      },
    ],
    facts: [
      { at: "/detail/owner_filter/matched", is: "MarketStalls" },
      { at: "/detail/methods/0/method", is: "com.example.market.StockIndex.lookup" },
    ],
  },
  {
    asks: "Where does the tick of Foundry SMP go?",
    account: "hosting",
    calls: [
      { tool: "list_account_profiles", args: { limit: 5 } },
      {
        tool: "get_profile",
        args: { server_id: foundry, profile_id: { from: "/data/[server_name=Foundry SMP]/profile_id" } },
      },
    ],
    facts: [
      { at: "/detail/owners/0/owner", is: "server" },
      { at: "/detail/owners/1/owner", is: "MarketStalls" },
    ],
  },
  {
    asks: "What changed in the load of Foundry SMP since last week?",
    account: "hosting",
    calls: [
      { tool: "list_account_profiles", args: { owner: "MarketStalls" } },
      {
        tool: "compare_profiles",
        args: {
          server_id: foundry,
          base: { from: "/data/[server_name=Foundry SMP]/id" },
          target: { from: "/data/6/id" },
          top: 2,
        },
      },
    ],
    facts: [
      { at: "/owners/[owner=MarketStalls]/status", is: "up" },
      { at: "/owners/[owner=MarketStalls]/beyond_noise", is: true },
      { at: "/comparability/level", is: "caution" },
    ],
  },
  {
    asks: "What eats the memory of Foundry SMP?",
    account: "hosting",
    calls: [
      heaps,
      {
        tool: "get_memory_report",
        args: { server_id: foundry, report_id: { from: "/data/[server_name=Foundry SMP]/id" } },
      },
    ],
    facts: [
      { at: "/top_owner", is: "MarketStalls" },
      { at: "/diagnosis/owners/[owner=MarketStalls]/top_classes/0/class_name", has: "PriceHistory" },
      { at: "/diagnosis/measure", is: "shallow" },
    ],
  },
  {
    asks: "Is there a memory leak on Foundry SMP?",
    account: "hosting",
    calls: [
      { tool: "list_account_memory_reports", args: { server_id: "Foundry SMP" } },
      {
        tool: "compare_memory_reports",
        args: {
          server_id: "Foundry SMP",
          base: { from: "/data/0/id" },
          target: { from: "/data/1/id" },
        },
      },
    ],
    facts: [
      { at: "/owners/0/owner", is: "MarketStalls" },
      { at: "/owners/0/status", is: "up" },
      { at: "/classes/0/class_name", has: "PriceHistory" },
    ],
  },
];
