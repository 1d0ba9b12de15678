// The lease on what a process remembers of the catalog: a site's settings, and whether it exists. Nothing is served from memory
// that began to be read longer ago, by the monotonic clock of the process that read it. So a change is seen everywhere once it
// is over, also by a process that was frozen meanwhile and is told of nothing.

export const LEASE_MS = 200

/** How long a change waits for a process that does not confirm it: the lease, and what a timer may be early by. */
export const LEASE_OVER_MS = LEASE_MS + 5
