// Object ids. object.ts computes them.

/** 40 lower-case hex digits: the SHA-1 of an object. */
export type Oid = string
