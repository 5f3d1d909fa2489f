/** The longest profile or memory report, bytes once decompressed: 16 MiB. The agent sends none that is longer. */
export const longestUpload = 16 * 1024 * 1024;

/** The same for people, in MiB. */
export const longestUploadMib = longestUpload / (1024 * 1024);
