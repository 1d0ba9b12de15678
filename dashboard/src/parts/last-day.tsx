// The last day on which a key is valid, as forms ask for it.

import { Field } from './field.js'

const DAY_MS = 86_400_000

interface LastDayProps {
  /** Empty: no end. */
  value: string
  onValue: (day: string) => void
}

export function LastDay({ value, onValue }: LastDayProps) {
  return <Field label="Expires after" hint="Empty: never." type="date" value={value} onValue={onValue} />
}

/** The end of the day where the person is; null for no end. */
export function endOfDay(day: string): string | null {
  return day === '' ? null : new Date(`${day}T23:59:59`).toISOString()
}

export function dayIn(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
}
