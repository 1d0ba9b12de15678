// A choice of one value from two to four short ones, side by side. Radio buttons below bring the keyboard and the meaning.

import { Icon, type IconName } from '../icons.js'
import type { ChoiceProps } from './choice.js'
import { useId } from 'preact/hooks'

interface SegmentedProps<T extends string> extends ChoiceProps<T> {
  iconOf?: (value: T) => IconName
  /** The label is read out alone: what is chosen is plain to see. */
  isLabelUnseen?: boolean
}

export function Segmented<T extends string>({
  label,
  value,
  from,
  onChoose,
  labelOf,
  iconOf,
  isLabelUnseen = false,
}: SegmentedProps<T>) {
  const name = useId()
  return (
    <fieldset class="segmented" role="radiogroup">
      <legend class={isLabelUnseen ? 'unseen' : undefined}>{label}</legend>
      <div class="segments">
        {from.map((each) => (
          <label key={each} class="segment">
            <input type="radio" name={name} checked={value === each} onChange={() => onChoose(each)} />
            {iconOf && <Icon name={iconOf(each)} />}
            <span>{labelOf?.(each) ?? each}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
