// How long ago something happened; the exact time is its tooltip.

import { formatAge, formatTime } from '../format.js'

export function Age({ of }: { of: string }) {
  return (
    <time dateTime={of} title={formatTime(of)}>
      {formatAge(of)}
    </time>
  )
}
