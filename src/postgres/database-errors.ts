// What a node may meet at its database, apart from refusals of single statements. Nothing of the driver is loaded with it.

/** No server takes writes now. The message names each server and why; it is tried again with the next request. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

/** The connection was lost while a transaction was being committed: it may be committed, also later. */
export class CommitUnknown extends Error {
  override name = 'CommitUnknown'

  constructor(cause: unknown) {
    super('PostgreSQL did not say whether it has committed.', { cause })
  }
}

/** The server is there and must not be used as it is set up: the operator changes it. */
export class DatabaseUnfit extends Error {
  override name: string = 'DatabaseUnfit'
}

/** Two servers could take writes at once: the server is read, and not written to. Clients may see the message. */
export class WritesUnsafe extends DatabaseUnfit {
  override name = 'WritesUnsafe'

  constructor() {
    super(
      'More than one standby of PostgreSQL could confirm a write: name one alone in synchronous_standby_names, or fence and set FENCED=1.',
    )
  }
}
