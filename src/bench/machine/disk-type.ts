import { readdir, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { unescapedPath } from "../../linux/cgroup.ts";
import { readOrNull, thisMachine, type MachineRoot } from "../../linux/proc.ts";
import { nullIfClosed } from "../../core/failure-code.ts";

export type DiskType = "nvme" | "ssd" | "hdd" | "network" | "unknown";

/** File systems whose disk is in another machine. */
const networkTypes =
  /^(?:nfs4?|cifs|smb3|smbfs|ceph|glusterfs|lustre|9p|afs|fuse\.(?:sshfs|glusterfs|s3fs|rclone))$/;

interface Mounted {
  readonly device: string;
  readonly at: string;
  readonly type: string;
  readonly source: string;
}

/** The innermost mount around a path, from mountinfo (proc(5)); of several at one place, the last. */
export function parseMounted(mountInfo: string, path: string): Mounted | null {
  const around = mountInfo.split("\n").flatMap((line): Mounted[] => {
    const [before = "", after = ""] = line.split(" - ");
    const [, , device, , at = ""] = before.split(" ").map(unescapedPath);
    const [type, source] = after.split(" ");
    if (device === undefined || type === undefined || source === undefined) return [];
    const isAround = at === "/" || path === at || path.startsWith(`${at}/`);
    return isAround ? [{ device, at, type, source }] : [];
  });
  return around.reduce<Mounted | null>(
    (inner, each) => (inner === null || each.at.length >= inner.at.length ? each : inner),
    null,
  );
}

async function mountedAround(folder: string, root: MachineRoot): Promise<Mounted | null> {
  const path = await realpath(folder).catch(nullIfClosed);
  const mountInfo = await readOrNull(join(root, "proc", "self", "mountinfo"));
  return path === null || mountInfo === null ? null : parseMounted(mountInfo, path);
}

/** A virtual disk tells nothing of the disk below it, unless it says that it does not turn. */
export async function diskTypeOf(folder: string, root: MachineRoot = thisMachine): Promise<DiskType> {
  const mounted = await mountedAround(folder, root);
  if (mounted === null) return "unknown";
  if (networkTypes.test(mounted.type)) return "network";
  const path = await diskPath(root, mounted);
  return path === null ? "unknown" : typeOfDisk((await lowestDisk(path)).path);
}

/**
 * The name of the one disk that holds a folder, as `/proc/diskstats` has it. Null if several disks hold it,
 * or none of this machine.
 */
export async function onlyDiskOf(folder: string, root: MachineRoot = thisMachine): Promise<string | null> {
  const mounted = await mountedAround(folder, root);
  const path = mounted && (await diskPath(root, mounted));
  if (path === null) return null;
  const lowest = await lowestDisk(path);
  return lowest.isOnly ? basename(lowest.path) : null;
}

async function diskPath(root: MachineRoot, { device, source }: Mounted): Promise<string | null> {
  // File systems with several devices, such as btrfs, have their own number; the source names one device.
  const places = [
    join(root, "sys", "dev", "block", device),
    join(root, "sys", "class", "block", basename(source)),
  ];
  for (const place of places) {
    const path = await realpath(place).catch(nullIfClosed);
    if (path !== null) return wholeDisk(path);
  }
  return null;
}

/** A partition's folder is in the folder of its disk. */
async function wholeDisk(path: string): Promise<string> {
  const isPartition = (await readOrNull(join(path, "partition"))) !== null;
  return isPartition ? dirname(path) : path;
}

/** Devices on top of devices (LVM, RAID, encryption) are not nested deeper. */
const deepest = 8;

/** The first of the lowest disks; `isOnly`: there is no other below the device. */
async function lowestDisk(path: string, depth = 0): Promise<{ path: string; isOnly: boolean }> {
  const below = (await readdir(join(path, "slaves")).catch(nullIfClosed)) ?? [];
  const [first] = below;
  if (first === undefined || depth >= deepest) return { path, isOnly: true };
  const next = await realpath(join(path, "slaves", first)).catch(nullIfClosed);
  if (next === null) return { path, isOnly: true };
  const lowest = await lowestDisk(await wholeDisk(next), depth + 1);
  return { path: lowest.path, isOnly: lowest.isOnly && below.length === 1 };
}

async function typeOfDisk(path: string): Promise<DiskType> {
  const name = basename(path);
  if (name.startsWith("nvme")) return "nvme";
  const turns = (await readOrNull(join(path, "queue", "rotational")))?.trim();
  if (turns === "0") return "ssd";
  const vendor = (await readOrNull(join(path, "device", "vendor")))?.trim() ?? "";
  const isVirtual =
    /^(?:vd|xvd)/.test(name) || /^(?:QEMU|VMware|Msft|VBOX|Virtual|Google|0x1af4)/i.test(vendor);
  return turns === "1" && !isVirtual ? "hdd" : "unknown";
}
