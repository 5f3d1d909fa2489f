/** A path or word as a line of a unit takes it: quoted, with what systemd would expand kept as it is. */
export const quotedForUnit = (word: string): string =>
  `"${word.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;

/** The same for a setting that takes a path, in which systemd expands nothing but `%`. */
export const pathForUnit = (word: string): string =>
  `"${word.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%")}"`;

/**
 * What no program of ours needs: other rights, devices, and settings of the kernel (systemd.exec(5)). Memory that is written
 * and run is what JavaScript is compiled into, so that stays allowed.
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
