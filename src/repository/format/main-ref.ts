// The only ref that is served, and the committer of the service's commits.

export const MAIN = 'refs/heads/main'

/** `.invalid` never resolves (RFC 2606), so no person gets mail for the service's commits. */
export const COMMITTER = { name: 'Palimpsest', email: 'noreply@palimpsest.invalid' }
