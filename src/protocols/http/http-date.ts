// Writes and reads dates in HTTP fields (RFC 9110 §5.6.7): writes IMF-fixdate, and also reads the two obsolete forms.

import { toNameable } from '../../model/clock.js'

const IMF_FIXDATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/
const RFC850 = /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d\d)-([A-Z][a-z]{2})-(\d\d) (\d\d:\d\d:\d\d GMT)$/
const ASCTIME = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2}) ([ \d]\d) (\d\d:\d\d:\d\d) (\d{4})$/

/** Writes `Sat, 21 Nov 2026 10:00:00 GMT`. A time outside the years that this form can express becomes the nearest one inside. */
export function toHttpDate(seconds: number): string {
  return new Date(toNameable(seconds) * 1000).toUTCString()
}

/** Returns seconds since the epoch; undefined if `toHttpDate` would not write this text, such as one with a wrong day of the week. */
export function parseHttpDate(text: string): number | undefined {
  if (!IMF_FIXDATE.test(text)) return undefined
  const seconds = Date.parse(text) / 1000
  return new Date(seconds * 1000).toUTCString() === text ? seconds : undefined
}

/** Parses each of the three forms that recipients must read. `now`, in seconds, decides the century of a two-digit year. */
export function parseAnyHttpDate(text: string, now: number): number | undefined {
  const [, month, day, time, year] = ASCTIME.exec(text) ?? []
  if (day !== undefined)
    return parseHttpDate(`${text.slice(0, 3)}, ${day.replace(' ', '0')} ${month} ${year} ${time} GMT`)
  const [, date, name, digits, rest] = RFC850.exec(text) ?? []
  if (digits === undefined) return parseHttpDate(text)
  return parseHttpDate(`${text.slice(0, 3)}, ${date} ${name} ${fullYear(Number(digits), now)} ${rest}`)
}

/** A two-digit year more than 50 years ahead means the latest such year in the past (RFC 9110 §5.6.7). */
function fullYear(digits: number, now: number): number {
  const thisYear = new Date(now * 1000).getUTCFullYear()
  const year = thisYear - (thisYear % 100) + digits
  return year > thisYear + 50 ? year - 100 : year
}
