// The error of a request that makes no sense here: a missing file, a site that the key does not see.

export class Unusable extends Error {
  override name = 'Unusable'
}
