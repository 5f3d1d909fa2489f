import { diagnoseServer } from "../src/endpoints/api/health/diagnose-server.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { servers } from "./id-lists.ts";

export default tool(diagnoseServer, {
  name: "diagnose_server",
  title: "Diagnose server",
  description:
    'What is wrong with one own server, since when, what changed near that, next steps (server_id is this one); availability of the period (24h). What says nothing is left out. Start here for "is it healthy, why is it slow?".',
  arguments: {
    top: "How many changes (4), figures (2, and all with a threshold) and next steps (1) of a finding",
  },
  toolset: "fleet",
  alsoIn: ["essentials"],
  urls: ["/servers/{server_id}"],
  previews: { changes: 4, evidence: { entries: 2, through: "threshold" }, next: 1 },
  brief: {
    members: {
      server_id: true,
      period: true,
      verdict: true,
      headline: { text: true },
      since: true,
      findings: {
        code: true,
        severity: true,
        subject: true,
        suspects: true,
        since: true,
        since_is_at_least: true,
        intermittent: true,
        evidence: { key: true, value: true, unit: true, threshold: true, measured_at: true },
        coincides_with: { kind: true, subject: true, minutes_before: true },
        next: {
          action: true,
          tool: true,
          // Not server_id: that of the answer.
          arguments: {
            profile_id: true,
            base: true,
            target: true,
            fields: true,
            type: true,
            status: true,
            name: true,
            metric: true,
          },
          page: true,
        },
      },
      more_findings: true,
      changes: { kind: true, at: true, subject: true, from: true, to: true },
      availability: {
        percent: true,
        down_seconds: true,
        stopped_seconds: true,
        maintenance_seconds: true,
        unmonitored_seconds: true,
        incidents: true,
      },
      not_measured: true,
    },
    ofAnswer: {
      usual: {
        unit: "count",
        since_is_at_least: false,
        intermittent: false,
        more_findings: 0,
        down_seconds: 0,
        stopped_seconds: 0,
        maintenance_seconds: 0,
        unmonitored_seconds: 0,
        incidents: 0,
      },
      once: ["next"],
      named: "server_id",
      dated: "measured_at",
    },
  },
  lists: { server_id: servers },
  needs: "monitoring",
});
