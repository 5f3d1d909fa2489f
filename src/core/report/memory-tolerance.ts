import { exceeds } from "../statistics/shift.ts";

/** 2 % of the larger size: some systems report memory without the part that firmware and kernel reserve. */
const memoryTolerance = 0.02;

/** Both sizes are above 0. The rounding slack of `exceeds` is about one byte in a GiB. */
export const memoryDiffers = (one: number, other: number): boolean =>
  exceeds(Math.abs(one - other) / Math.max(one, other), memoryTolerance);
