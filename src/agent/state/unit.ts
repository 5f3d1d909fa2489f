import { confinement, pathForUnit, quotedForUnit } from "../../linux/systemd-unit.ts";

/** The capabilities that root needs to read another user's process. */
const foreign = "CAP_SYS_PTRACE CAP_DAC_READ_SEARCH CAP_DAC_OVERRIDE CAP_CHOWN CAP_KILL";

export interface UnitFacts {
  readonly command: readonly string[];
  readonly stateFolder: string;
  readonly directory: string;
  /** The game server's user, because its JVM answers no other. */
  readonly user: string;
}

/** The unit may write only its state and `/tmp`, where the JVM's attach socket is. */
export const unitText = ({ command, stateFolder, directory, user }: UnitFacts): string => `[Unit]
Description=Tickmark agent for the game server in ${directory.replaceAll("%", "%%")}
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=600
StartLimitBurst=5

[Service]
ExecStart=${command.map(quotedForUnit).join(" ")}
User=${user}
Restart=on-failure
RestartSec=10
RestartPreventExitStatus=2
TimeoutStopSec=20
Nice=5
CapabilityBoundingSet=${user === "root" ? foreign : ""}
ReadWritePaths=${pathForUnit(stateFolder)} /tmp
ProtectHome=read-only
${confinement}
MemoryHigh=256M

[Install]
WantedBy=multi-user.target
`;
