// The properties of a choice of one value from a few, which Select, Segmented and RadioList share.

export interface ChoiceProps<T extends string> {
  label: string
  value: T
  from: readonly T[]
  onChoose: (value: T) => void
  /** Returns the text of a value, if it differs from the value. */
  labelOf?: (value: T) => string
}
