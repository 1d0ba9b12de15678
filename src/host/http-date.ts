// Dates as HTTP writes them, in the one form that is written today (RFC 9110 §5.6.7, IMF-fixdate).

const IMF_FIXDATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/
/** The last second of the year 9999; a commit may claim any time. */
const LAST_SECOND = 253_402_300_799

/** `Sat, 21 Nov 2026 10:00:00 GMT`. Times that it cannot name become the nearest that it can. */
export function toHttpDate(seconds: number): string {
  return new Date(Math.min(Math.max(seconds, 0), LAST_SECOND) * 1000).toUTCString()
}

/** Seconds since the epoch; undefined for anything that `toHttpDate` would not write, such as a wrong day of the week. */
export function parseHttpDate(text: string): number | undefined {
  if (!IMF_FIXDATE.test(text)) return undefined
  const seconds = Date.parse(text) / 1000
  return new Date(seconds * 1000).toUTCString() === text ? seconds : undefined
}
