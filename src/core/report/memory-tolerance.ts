import { exceeds } from "../statistics/shift.ts";

/** 2 % of the larger: the same memory is reported with and without what firmware and kernel keep for themselves. */
const memoryTolerance = 0.02;

/** Whether two sizes of memory, both above 0, are two; what `exceeds` leaves to rounding is a byte of each GiB. */
export const memoryDiffers = (one: number, other: number): boolean =>
  exceeds(Math.abs(one - other) / Math.max(one, other), memoryTolerance);
