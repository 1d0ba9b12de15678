// The choice of what a new comment is about: the whole change, or one path of it.

import { Select } from '../controls/select.js'

/** Stands for the whole change. */
export const WHOLE = ''

interface AboutProps {
  value: string
  onChoose: (path: string) => void
  paths: Iterable<string>
}

export function About({ value, onChoose, paths }: AboutProps) {
  return (
    <Select
      label="About"
      value={value}
      from={[WHOLE, ...paths]}
      labelOf={(each) => (each === WHOLE ? 'the whole change' : each)}
      onChoose={onChoose}
    />
  )
}
