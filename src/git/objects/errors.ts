// The errors of the code below the store. No client causes them.

import type { Oid } from './oid.js'

/** No loose object and no pack holds the object. */
export class ObjectMissing extends Error {
  readonly oid: Oid

  constructor(oid: Oid) {
    super(`object ${oid} is missing`)
    this.name = 'ObjectMissing'
    this.oid = oid
  }
}

/** The object exists, but its bytes do not match its id. */
export class ObjectCorrupt extends Error {
  /** Undefined if damage was found in a pack before the object's id was known. */
  readonly oid: Oid | undefined

  constructor(what: string, reason: string, oid?: Oid) {
    super(`${what} is corrupt: ${reason}`)
    this.name = 'ObjectCorrupt'
    this.oid = oid
  }
}

/** The ref is not at the commit that the caller built on. */
export class RefMoved extends Error {
  readonly found: Oid | undefined

  constructor(name: string, found: Oid | undefined) {
    super(`${name} is at ${found ?? 'nothing'}`)
    this.name = 'RefMoved'
    this.found = found
  }
}

/** Another process holds the ref's lock. */
export class RefLocked extends Error {
  constructor(name: string) {
    super(`${name} is locked by another process`)
    this.name = 'RefLocked'
  }
}

/** The caller did not learn whether its move of the ref is durable: after a power cut the ref may or may not have moved. */
export class OutcomeUnknown extends Error {
  constructor(name: string, cause: unknown) {
    super(`the move of ${name} was not confirmed`, { cause })
    this.name = 'OutcomeUnknown'
  }
}

/** The folder is not a repository in which the service can keep its promises. */
export class RepositoryInvalid extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'RepositoryInvalid'
  }
}
