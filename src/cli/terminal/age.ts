// Tells how long ago something was, or how soon it is.

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
  return inWords(Math.max(now - Date.parse(timestamp), 0)) ?? 'just now'
}

/** Returns a time for people at a terminal, as "2 hours ago" or "in 3 days". Programs get it as it is. */
export function timeCell(timestamp: string | null, none = '-'): string {
  if (timestamp === null || !process.stdout.isTTY) return timestamp ?? none
  const now = Date.now()
  const isAhead = Date.parse(timestamp) > now
  return isAhead ? (inWords(now - Date.parse(timestamp)) ?? 'now') : ageOf(timestamp, now)
}

/** Returns undefined for less than a minute. */
function inWords(ms: number): string | undefined {
  const seconds = Math.abs(ms) / 1000
  const unit = UNITS.find(([, length]) => seconds >= length)
  if (unit === undefined) return undefined
  // Made here: making it takes longer than loading all other commands.
  const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  return words.format(-Math.sign(ms) * Math.floor(seconds / unit[1]), unit[0])
}
