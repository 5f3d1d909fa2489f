import { cancelAutoBenchJob } from "../src/endpoints/api/auto-bench/cancel-auto-bench-job.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { jobs } from "./id-lists.ts";

export default tool(cancelAutoBenchJob, {
  name: "cancel_auto_bench_job",
  title: "Cancel auto-bench job",
  description:
    "Asks a job to stop. cancelled true means asked, not done: a running job stops at its agent's next heartbeat. false: it was over.",
  toolset: "auto_bench",
  urls: ["/auto-bench/{answer.job.target_id}"],
  lists: { job_id: jobs },
});
