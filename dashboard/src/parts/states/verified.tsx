// Warns where no signature of the service proves the author of a commit. A proven author needs no word.

import type { Commit } from '../../api/client.js'
import { Badge } from './badge.js'

export function Verified({ of }: { of: Commit['verified'] }) {
  if (of === 'service') return null
  const [word, meaning] =
    of === 'other'
      ? ['other signature', 'It carries a signature that this service cannot check.']
      : ['not verified', 'It came by git. The name of its author is what the author wrote.']
  return (
    <Badge state="draft" title={meaning}>
      {word}
    </Badge>
  )
}
