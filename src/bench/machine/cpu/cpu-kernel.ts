import type { CpuKernel } from "../kernels.ts";

/** Rounds of one batch: 2 to 3 ms on a core of 2023. */
export const roundsInBatch = 500;

/** The same on every machine, and for the same kernel in C. */
export const batchChecksum = 1_566_920_202;

/**
 * Operations that a round counts as. Provisional: an AMD EPYC of the 9004 series (family 25, model 17, a
 * guest with two processors) then reaches 760,000 operations a second, 76 % of the reference host. The EPYC
 * 9654 has 2,893 points in PassMark's single-thread test, about 75 % of an Intel Core i7-12700 (the baseline
 * of Geekbench 6), which stands for the reference host's mid-range processor of eight fast cores.
 */
export const operationsInRound = 3.5;

/** Does one batch; false if its result is wrong. */
export const doBatch = (kernel: CpuKernel): boolean => kernel.work(roundsInBatch) >>> 0 === batchChecksum;
