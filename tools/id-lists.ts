/*
 * Which tools list the ids of a kind, best first; after a name may stand the arguments it takes for that. Where a
 * caller may not use the first, the next is named.
 */
export const servers = ["list_servers", "get_monitoring_overview with include_unmonitored=true"];
export const groups = ["list_server_groups"];
export const reports = ["list_reports"];
export const unitTests = ["list_unit_tests"];
/** Both forms of a profile's id. */
export const profileIds = ["list_profile_summaries"];
export const memoryReports = ["list_memory_reports"];
export const rules = ["list_alert_rules"];
export const alerts = ["list_alerts"];
export const targets = ["list_auto_bench_targets"];
export const jobs = ["list_auto_bench_jobs"];
