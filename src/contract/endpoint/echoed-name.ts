const echoable = /^[A-Za-z0-9_.-]{1,64}$/;

/** A name that an error may repeat; null if it has unusual characters, which could carry other text. */
export const echoed = (name: string): string | null => (echoable.test(name) ? name : null);
