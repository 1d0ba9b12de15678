// The instant that a date or a time of RFC 3339 names, for comparing times that are written with different offsets.

const DATE_OR_TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt\s](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?))?$/

/**
 * Returns milliseconds since the epoch, in UTC; undefined for any other text. A date is its midnight in UTC. Further digits of a second are
 * dropped. An offset may lack its colon or its minutes, as record schemas allow (`format: date-time`).
 */
export function instantOf(text: string): number | undefined {
  const found = DATE_OR_TIME.exec(text)
  if (found === null) return undefined
  const numberAt = (group: number) => Number(found[group] ?? 0)
  const [year, month, day] = [numberAt(1), numberAt(2), numberAt(3)]
  const [hour, minute, second] = [numberAt(4), numberAt(5), numberAt(6)]
  const [offsetHour, offsetMinute] = [numberAt(9), numberAt(10)]
  // A minute may have a leap second.
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  const offset = (found[8] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute)
  const millisecond = Number((found[7] ?? '').slice(0, 3).padEnd(3, '0'))
  return date.setUTCHours(hour, minute - offset, second, millisecond)
}
