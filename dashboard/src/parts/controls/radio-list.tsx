// A choice of one value from a few that need words of explanation, one below the other.

import type { ChoiceProps } from './choice.js'
import { useId } from 'preact/hooks'

export function RadioList<T extends string>({ label, value, from, onChoose, labelOf }: ChoiceProps<T>) {
  const name = useId()
  return (
    <fieldset class="list" role="radiogroup">
      <legend>{label}</legend>
      {from.map((each) => (
        <label key={each}>
          <input type="radio" name={name} checked={value === each} onChange={() => onChoose(each)} />{' '}
          {labelOf?.(each) ?? each}
        </label>
      ))}
    </fieldset>
  )
}
