// Shows whether a signature proves the author of a commit or a tag.

import type { Commit } from '../api/client.js'

export function Verified({ of }: { of: Commit['verified'] }) {
  if (of === 'none') return null
  const [word, meaning] =
    of === 'service'
      ? ['verified', 'This service made the commit, and its signature is good.']
      : ['other signature', 'It carries a signature that this service cannot check.']
  return (
    <span class="tag" title={meaning}>
      {word}
    </span>
  )
}
