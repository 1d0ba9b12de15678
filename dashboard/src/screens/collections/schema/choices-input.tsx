// The choices of a field, in one line with commas.

import { useState } from 'preact/hooks'

interface ChoicesInputProps {
  name: string
  choices: readonly string[]
  isWrong: boolean
  onChoices: (choices: readonly string[]) => void
}

export function ChoicesInput({ name, choices, isWrong, onChoices }: ChoicesInputProps) {
  const written = choices.join(', ')
  const [typed, setTyped] = useState(written)
  // Commas and spaces stay as they are typed, as long as this row has these choices.
  const text = choicesIn(typed).join(', ') === written ? typed : written
  return (
    <input
      type="text"
      autocomplete="off"
      dir="auto"
      aria-label={`Choices of ${name}, with commas between them`}
      placeholder="red, green, blue"
      value={text}
      aria-invalid={isWrong}
      onInput={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChoices(choicesIn(currentTarget.value))
      }}
    />
  )
}

function choicesIn(text: string): string[] {
  return [...new Set(text.split(',').map((choice) => choice.trim()))].filter((choice) => choice !== '')
}
