// The only ref that is served, and the committer of the service's commits.

export const MAIN = 'refs/heads/main'

/** `.invalid` never resolves (RFC 2606), so nobody gets mail for commits. */
export const PEOPLE_DOMAIN = 'people.palimpsest.invalid'
export const COMMITTER = { name: 'Palimpsest', email: 'noreply@palimpsest.invalid' }
