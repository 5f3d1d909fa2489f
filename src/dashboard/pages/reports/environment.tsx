import { Card } from "../../parts/state.tsx";
import { Facts } from "../../parts/table.tsx";
import { Text } from "../../parts/value.tsx";
import { wordsOf } from "../servers/server-state.tsx";
import type { ReportShown } from "./report/scores.tsx";

/** The machine, software and settings of a report. */
export function EnvironmentCard({ report }: { report: ReportShown }) {
  const { hardware, server } = report;
  return (
    <Card title="Where it ran">
      <div class="columns">
        <div class="stack-half">
          <h3>Machine</h3>
          <Facts
            of={[
              ["Processor", <ReportedValue key="cpu" value={hardware.cpu_name} />],
              ["Cores", <ReportedValue key="cores" value={hardware.cpu_cores} />],
              ["Threads", <ReportedValue key="threads" value={hardware.cpu_threads} />],
              [
                "Processors the JVM may use",
                <ReportedValue key="usable" value={hardware.available_processors} />,
              ],
              ["Frequency", <ReportedValue key="ghz" value={hardware.cpu_frequency_ghz} unit="GHz" />],
              ["Memory", <ReportedValue key="ram" value={hardware.ram_gb} unit="GB" />],
              ["Memory limit", <ReportedValue key="limit" value={hardware.memory_limit_gb} unit="GB" />],
              ["Disk", <ReportedValue key="disk" value={hardware.disk_type} />],
              ["Hosting tier", <ReportedValue key="tier" value={report.hosting_tier} />],
            ]}
          />
        </div>
        <div class="stack-half">
          <h3>Software</h3>
          <Facts
            of={[
              ["Server", <ReportedValue key="type" value={server.type_name ?? server.type} />],
              ["Build", <ReportedValue key="build" value={server.build} />],
              ["Game", <ReportedValue key="game" value={server.game_version} />],
              ["Java", <ReportedValue key="java" value={report.java_version} />],
              ["Operating system", <ReportedValue key="os" value={report.os_name} />],
              ["Hybrid", <ReportedValue key="hybrid" value={server.is_hybrid} />],
              ["Mod loader", <ReportedValue key="loader" value={server.mod_loader} />],
              ["Plugins", <ReportedValue key="plugins" value={report.plugin_count} />],
              ["Mods", <ReportedValue key="mods" value={report.mod_count} />],
              ["Dispersed zones", <ReportedValue key="zones" value={report.dispersed_zones} />],
              ["Measured by plugin", <ReportedValue key="plugin" value={server.plugin_version} />],
            ]}
          />
        </div>
      </div>
    </Card>
  );
}

/** Nothing if the upload can no longer be read. */
export function SettingsCard({ settings }: Pick<ReportShown, "settings">) {
  if (settings === null) return null;
  const { heap_max_mb, heap_initial_mb, jvm_flags, server_settings } = settings;
  return (
    <Card title="Settings of the run">
      <Facts
        of={[
          ["Largest heap", <ReportedValue key="most" value={heap_max_mb} unit="MB" />],
          ["Heap at the start", <ReportedValue key="start" value={heap_initial_mb} unit="MB" />],
          ["JVM flags", <ReportedValue key="flags" value={jvm_flags && jvm_flags.join(" ")} />],
          ...server_settings.map(
            ({ setting, value }) =>
              [wordsOf(setting), <ReportedValue key={setting} value={value} />] as const,
          ),
        ]}
      />
    </Card>
  );
}

export function ReportedValue({ value, unit }: { value: string | number | boolean | null; unit?: string }) {
  if (value === null) return <span class="quiet">not reported</span>;
  if (typeof value === "boolean") return value ? "yes" : "no";
  return (
    <>
      <Text value={String(value)} />
      {unit && <span class="unit"> {unit}</span>}
    </>
  );
}
