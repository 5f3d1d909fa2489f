/** True under `npm run test:long`, where random and exhaustive tests run in their whole length. */
export const isLong = process.env["TICKMARK_TEST_LONG"] !== undefined;
