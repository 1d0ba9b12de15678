// Time and ids enter the service here, so that tests can set them.

export type Clock = () => Date
export type MakeId = () => string

/** Returns whole seconds since the epoch, the resolution of commit times. */
export function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}

/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799

/** Returns the nearest whole second whose year has four digits, as in all written dates here: a commit may claim any time. */
export function toNameable(seconds: number): number {
  return Math.min(Math.max(Math.trunc(seconds) || 0, 0), LAST_SECOND)
}

const DAY_SECONDS = 86_400
/** The texts `00` to `59`. */
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))
/** The day that was written last: lists have many times of few days. */
let lastDay = { day: 0, text: '1970-01-01' }

/** Returns RFC 3339 UTC with whole seconds: `2026-11-21T10:00:00Z`. Times outside its range become the nearest one inside. */
export function toTimestamp(seconds: number): string {
  const time = toNameable(seconds)
  const day = Math.floor(time / DAY_SECONDS)
  if (day !== lastDay.day) lastDay = { day, text: new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 10) }
  const inDay = time % DAY_SECONDS
  const [hour, minute, second] = [Math.floor(inDay / 3600), Math.floor(inDay / 60) % 60, inDay % 60]
  return `${lastDay.text}T${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[second]}Z`
}
