/** So long the account that unlinked a server gets it back, with its data, by linking it again. */
export const restorableDays = 30;
