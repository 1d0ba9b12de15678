// The one ref that is served, and the name our commits are committed under.

export const MAIN = 'refs/heads/main'

/** `.invalid` never resolves (RFC 2606): nobody gets mail for what the service committed. */
export const COMMITTER = { name: 'Palimpsest', email: 'noreply@palimpsest.invalid' }
