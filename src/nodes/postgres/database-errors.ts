// Errors of the database of nodes, apart from refusals of single statements. Importing this file does not load the driver.

/** No server takes writes now. The message names each server and the reason; the next request tries again. */
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

/** The server exists but must not be used with its settings: the operator must change them. */
export class DatabaseUnfit extends Error {
  override name: string = 'DatabaseUnfit'
}

/** Two servers could take writes at once: the server is read, but not written to. Clients may see the message. */
export class WritesUnsafe extends DatabaseUnfit {
  override name = 'WritesUnsafe'

  constructor() {
    super(
      'More than one standby of PostgreSQL could confirm a write: name one alone in synchronous_standby_names, or fence and set FENCED=1.',
    )
  }
}
