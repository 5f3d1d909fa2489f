/** An unlinked server comes back with its data if the same account links it within this time. */
export const restorableDays = 30;
