// The age of an event; its tooltip shows the exact time.

import { formatAge, formatTime } from '../../format.js'

export function Age({ of }: { of: string }) {
  return (
    <time dateTime={of} title={formatTime(of)}>
      {formatAge(of)}
    </time>
  )
}
