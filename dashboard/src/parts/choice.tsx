// A choice of one value from a few: as a select box, or as radio buttons.

interface ChoiceProps<T extends string> {
  label: string
  value: T
  from: readonly T[]
  onChoose: (value: T) => void
}

export function SelectBox<T extends string>({ label, value, from, onChoose }: ChoiceProps<T>) {
  return (
    <label class="select">
      <span class="hint">{label}</span>
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value as T)}>
        {from.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </label>
  )
}

interface RadioGroupProps<T extends string> extends ChoiceProps<T> {
  /** Returns the text of a value, if it differs from the value. */
  labelOf?: (value: T) => string
}

export function RadioGroup<T extends string>({ label, value, from, onChoose, labelOf }: RadioGroupProps<T>) {
  return (
    <fieldset>
      <legend>{label}</legend>
      {from.map((each) => (
        <label key={each}>
          <input type="radio" name={label} checked={value === each} onChange={() => onChoose(each)} />{' '}
          {labelOf?.(each) ?? each}
        </label>
      ))}
    </fieldset>
  )
}
