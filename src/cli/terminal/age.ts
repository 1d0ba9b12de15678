// Tells how long ago something was.

/** Seconds of each unit, the longest first. */
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** Returns words such as "2 hours ago". A clock of another machine may be ahead: that is "just now" too. */
export function ageOf(timestamp: string, now = Date.now()): string {
  const seconds = Math.max(now - Date.parse(timestamp), 0) / 1000
  const unit = UNITS.find(([, length]) => seconds >= length)
  if (unit === undefined) return 'just now'
  // Made here: making it takes longer than loading all other commands.
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-Math.floor(seconds / unit[1]), unit[0])
}
