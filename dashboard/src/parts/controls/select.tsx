// A choice of one value from a list: the browser's own, in the looks of the other controls.

import type { ChoiceProps } from './choice.js'

export function Select<T extends string>({ label, value, from, onChoose, labelOf }: ChoiceProps<T>) {
  return (
    <label class="select">
      <span class="hint">{label}</span>
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value as T)}>
        {from.map((each) => (
          <option key={each} value={each}>
            {labelOf?.(each) ?? each}
          </option>
        ))}
      </select>
    </label>
  )
}
