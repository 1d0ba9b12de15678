// A form field for the last day on which a key is valid.

import { Field } from './field.js'

const DAY_MS = 86_400_000

interface LastDayProps {
  /** Empty if there is no end. */
  value: string
  onValue: (day: string) => void
}

export function LastDay({ value, onValue }: LastDayProps) {
  return <Field label="Expires after" hint="Empty: never." type="date" value={value} onValue={onValue} />
}

/** Returns the end of the day in the person's time zone; null if there is no end. */
export function endOfDay(day: string): string | null {
  return day === '' ? null : new Date(`${day}T23:59:59`).toISOString()
}

export function dayIn(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
}
