// The errors of the code below the store. No client causes them.

import type { Oid } from './oid.js'

/** No loose object and no pack holds it. */
export class ObjectMissing extends Error {
  readonly oid: Oid

  constructor(oid: Oid) {
    super(`object ${oid} is missing`)
    this.name = 'ObjectMissing'
    this.oid = oid
  }
}

/** It is there, and its bytes are not what its id says. */
export class ObjectCorrupt extends Error {
  /** Undefined where damage was found in a pack before it was known to which object it belongs. */
  readonly oid: Oid | undefined

  constructor(what: string, reason: string, oid?: Oid) {
    super(`${what} is corrupt: ${reason}`)
    this.name = 'ObjectCorrupt'
    this.oid = oid
  }
}

/** The ref is not what the caller built on. */
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

/** Whoever moves the ref did not learn whether it moved to stay: it may or may not be there after a power cut. */
export class OutcomeUnknown extends Error {
  constructor(name: string, cause: unknown) {
    super(`the move of ${name} was not confirmed`, { cause })
    this.name = 'OutcomeUnknown'
  }
}

/** The folder is not a repository that the service can keep its promises in. */
export class RepositoryInvalid extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'RepositoryInvalid'
  }
}
