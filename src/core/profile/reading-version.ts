/** Goes up with every change of what detail or flame graph say of the same document: stored ones are made anew. */
export const profileReadingVersion = 1;
