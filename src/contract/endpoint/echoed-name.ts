const echoable = /^[A-Za-z0-9_.-]{1,64}$/;

/** A name somebody sent, as an error may repeat it; null where it could carry anything else. */
export const echoed = (name: string): string | null => (echoable.test(name) ? name : null);
