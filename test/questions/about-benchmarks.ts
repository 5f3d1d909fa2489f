import { type Question } from "./question.ts";

const mine = { tool: "list_reports", args: { mine: true } } as const;
const standard = { tool: "list_reports", args: { mine: true, benchmark_mode: "standard" } } as const;
const targets = { tool: "list_auto_bench_targets" } as const;
const newestJob = { tool: "list_auto_bench_jobs", args: { limit: 1 } } as const;

/** What machines can do, and runs of benchmarks. */
export const aboutBenchmarks: readonly Question[] = [
  {
    asks: "Which host should I take for 30 euros a month at most?",
    account: "free",
    calls: [{ tool: "list_offers", args: { max_price_eur_cents: 3000 } }],
    facts: [
      { at: "/data/0/id", rest: "/offers?max_price_eur_cents=3000", member: "/data/0/id" },
      { at: "/data/[id=foundry-iron-8]/contested", is: true },
      { at: "/data/[id=foundry-steel-16]/evidence", is: "linked" },
    ],
    lacks: ["harbour-anchor"],
  },
  {
    asks: "Which JVM flags should I set?",
    account: "free",
    calls: [standard, { tool: "get_tuning_advice", args: { report_id: { from: "/data/0/short_id" } } }],
    facts: [
      { at: "/recommendations/[area=jvm]/setting/kind", is: "jvm_flag" },
      { at: "/areas/[area=jvm]/status", is: "recommended" },
    ],
  },
  {
    asks: "What holds my host back?",
    account: "enterprise",
    calls: [standard, { tool: "diagnose_report", args: { report_id: { from: "/data/0/short_id" } } }],
    facts: [
      {
        at: "/findings",
        rest: "/reports/{0:/data/0/id}/diagnosis",
        member: "/findings",
      },
    ],
  },
  {
    asks: "/did_benchmarks_improve Evergreen Survival",
    account: "pro",
    prompt: {
      name: "did_benchmarks_improve",
      args: {
        server: { typed: "survival" },
        change: "eleven days ago: view distance 7 instead of 12, fewer monsters",
      },
    },
    calls: [
      {
        tool: "judge_before_after",
        args: {
          server_id: { prompted: "server" },
          before_until: "2026-11-09",
          after_from: "2026-11-09",
          target: "gameplay",
          declared: ["config.view_distance", "config.spawn_limit_monsters"],
        },
      },
    ],
    // More was changed than the owner remembers, so there is no verdict; the figures stand beside it.
    facts: [
      { at: "/verdict", is: "inconclusive" },
      { at: "/refusals/0/code", is: "undeclared_change" },
      { at: "/refusals", has: "config.redstone_implementation" },
      { at: "/before/median", least: 1130, most: 1170 },
      { at: "/after/median", least: 1470, most: 1520 },
    ],
  },
  {
    asks: "Did the change of 9 November help the benchmarks of Evergreen Survival?",
    account: "pro",
    calls: [
      {
        tool: "judge_before_after",
        args: {
          server_id: "Evergreen Survival",
          before_until: "2026-11-09",
          after_from: "2026-11-09",
          target: "gameplay",
        },
      },
    ],
    facts: [
      { at: "/verdict", is: "inconclusive" },
      { at: "/refusals/0/code", is: "undeclared_change" },
      { at: "/before/count", is: 3 },
      { at: "/after/count", is: 3 },
    ],
  },
  {
    asks: "How much heap did my newest run have?",
    account: "enterprise",
    calls: [standard, { tool: "get_report", args: { report_id: { from: "/data/0/short_id" } } }],
    facts: [
      { at: "/settings/heap_max_mb", rest: "/reports/{0:/data/0/id}", member: "/settings/heap_max_mb" },
    ],
  },
  {
    asks: "Compare my newest run with the one before.",
    account: "enterprise",
    calls: [
      { ...standard, args: { ...standard.args, limit: 2 } },
      {
        tool: "compare_reports",
        args: { base: { from: "/data/1/short_id" }, other: { from: "/data/0/short_id" } },
      },
    ],
    facts: [
      {
        at: "/summary",
        rest: "/reports/compare?base={0:/data/1/id}&other={0:/data/0/id}",
        member: "/summary",
      },
    ],
  },
  {
    asks: "How does my processor compare with others?",
    account: "free",
    calls: [{ tool: "list_reports", args: { benchmark_mode: "standard" } }],
    facts: [
      { at: "/data/[source=auto_bench]/hardware/cpu_name", is: "AMD Ryzen 9 7950X3D" },
      { at: "/data", has: "Intel(R) Xeon(R) Silver 4314" },
      { at: "/data", has: "single_core" },
    ],
  },
  {
    asks: "How many mobs can my machine take?",
    account: "hosting",
    calls: [
      { tool: "list_unit_tests", args: { mine: true, test_id: "entities_ai" } },
      { tool: "get_unit_test", args: { unit_test_id: { from: "/data/0/short_id" } } },
    ],
    facts: [
      { at: "/test_id", is: "entities_ai" },
      {
        at: "/stress_result/last_passing_load",
        rest: "/unit-tests/{0:/data/0/id}",
        member: "/stress_result/last_passing_load",
      },
    ],
  },
  {
    asks: "Show me my single-thread tests.",
    account: "hosting",
    calls: [{ tool: "list_unit_tests", args: { mine: true, category: "cpu" } }, standard],
    facts: [
      { of: 0, at: "/data", is: [] },
      { of: 0, at: "/connector_notes/0", has: "Nothing matches the filters" },
      { at: "/data/0/scores/single_core", rest: "/reports/{1:/data/0/id}", member: "/scores/single_core" },
    ],
  },
  {
    asks: "Make the newest run of mine private.",
    account: "pro",
    calls: [
      mine,
      {
        tool: "update_report",
        args: { report_id: { from: "/data/[visibility=public]/short_id" }, visibility: "private" },
      },
    ],
    facts: [{ at: "/visibility", is: "private" }],
    after: [{ rest: "/reports/{0:/data/[visibility=public]/id}", member: "/visibility", is: "private" }],
  },
  {
    asks: "Benchmark Archipelago now.",
    account: "enterprise",
    calls: [
      targets,
      {
        tool: "run_auto_bench_now",
        args: { target_id: { from: "/data/[server_name=Archipelago]/id" } },
      },
    ],
    facts: [{ at: "/status", is: "queued" }],
    after: [{ rest: "/auto-bench/jobs", member: "/data/0/status", is: "queued" }],
  },
  {
    asks: "Is the benchmark done?",
    account: "enterprise",
    calls: [newestJob],
    facts: [
      { at: "/data/0/status", is: "queued" },
      { at: "/data/0/report_id", is: null },
    ],
  },
  {
    asks: "Never mind, cancel it.",
    account: "enterprise",
    calls: [newestJob, { tool: "cancel_auto_bench_job", args: { job_id: { from: "/data/0/id" } } }],
    facts: [{ at: "/cancelled", is: true }],
    after: [{ rest: "/auto-bench/jobs", member: "/data/0/status", is: "cancelled" }],
  },
  {
    asks: "No benchmarks of Archipelago at night for now.",
    account: "enterprise",
    calls: [
      targets,
      {
        tool: "update_auto_bench_target",
        args: { target_id: { from: "/data/[server_name=Archipelago]/id" }, enabled: false },
      },
    ],
    facts: [{ at: "/enabled", is: false }],
    after: [{ rest: "/auto-bench/targets", member: "/data/[server_name=Archipelago]/next_run_at", is: null }],
  },
  {
    asks: "When does the next benchmark of Foundry SMP run?",
    account: "hosting",
    calls: [targets],
    facts: [
      { at: "/data/[server_name=Foundry SMP]/schedule_cron", is: "15 5 * * MON" },
      { at: "/data/[server_name=Foundry SMP]/next_run_at", is: "2026-11-23T05:15:00.000Z" },
    ],
  },
  {
    asks: "Did Archipelago become slower since its benchmarks run every night?",
    account: "enterprise",
    calls: [{ tool: "get_regression_verdict", args: { server_id: "Archipelago" } }],
    facts: [
      { at: "/verdict", is: "regression" },
      { at: "/since", rest: "/servers/{Archipelago}/regression", member: "/since" },
    ],
    lacks: ['"stable"'],
  },
];
