// Object ids. How they are made is in object.ts.

/** 40 lower-case hex digits: the SHA-1 of an object. */
export type Oid = string
