import type { z } from "zod";
import { ImportError } from "../../../src/core/import/import-error.ts";
import { profileOfSpark } from "../../../src/core/import/spark-profile.ts";
import { ProfileDocument } from "../../../src/core/profile/document.ts";
import { sparkFile, type SparkFile } from "../../support/spark-file.ts";

export const digest = "0".repeat(64);

type Imported = z.output<typeof ProfileDocument>;

/** A profile as the route takes it: read, and through the schema of uploads. */
export const imported = (file: SparkFile | Uint8Array): Imported =>
  ProfileDocument.parse(profileOfSpark(file instanceof Uint8Array ? file : sparkFile(file), digest));

/** What somebody reads whose file is not taken; "taken" when it is. Anything but a refusal is thrown on. */
export function refusalOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof ImportError) return error.message;
    throw error;
  }
  return "taken";
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Samples of all nodes. */
export const samplesOf = ({ nodes }: Imported): number => sum(nodes.map(({ samples }) => samples));

/** Nodes as text: the frames from the root, and the samples that end there. */
export function paths({ frames, nodes }: Imported): Record<string, number> {
  const names: string[] = [];
  for (const { parent, frame } of nodes) {
    const caller = names[parent];
    names.push(`${caller === undefined ? "" : `${caller} > `}${frames[frame]?.frame ?? "?"}`);
  }
  return Object.fromEntries(nodes.map(({ samples }, index) => [names[index] ?? "", samples]));
}

/** Samples of each node and of all below it. */
export function inclusive({ nodes }: Imported): number[] {
  const samples = nodes.map((node) => node.samples);
  for (let index = nodes.length - 1; index >= 0; index -= 1) {
    const parent = nodes[index]?.parent ?? -1;
    if (parent >= 0) samples[parent] = (samples[parent] ?? 0) + (samples[index] ?? 0);
  }
  return samples;
}
