/** Quotes a path or word for a line of a unit, so that systemd expands nothing in it. */
export const quotedForUnit = (word: string): string =>
  `"${word.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;

/** The same for a setting that takes a path, in which systemd expands only `%`. */
export const pathForUnit = (word: string): string =>
  `"${word.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%")}"`;

/**
 * Denies what no program of ours needs: other rights, devices, kernel settings (systemd.exec(5)). Memory that
 * is written and run stays allowed, because JavaScript is compiled into it.
 */
export const confinement = `UMask=0077
NoNewPrivileges=yes
ProtectSystem=strict
PrivateDevices=yes
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native`;
