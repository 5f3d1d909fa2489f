/** Goes up with every change of what a diagnosis says of the same document: stored ones are made anew. */
export const memoryReadingVersion = 1;
