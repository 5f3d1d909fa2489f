/** Increase it with each change of a document's detail or flame graph: stored ones are then made anew. */
export const profileReadingVersion = 2;
