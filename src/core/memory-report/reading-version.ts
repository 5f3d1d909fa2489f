/** Increase it with each change of what a diagnosis says of a document: stored ones are then made anew. */
export const memoryReadingVersion = 1;
