// Check boxes for some of what there is. Where there are many, a search finds them, and the checked ones come first.

import { useState } from 'preact/hooks'
import { formatNumber } from '../../format.js'
import { SearchField } from './search-field.js'

export interface Box {
  id: string
  label: string
  /** Stands behind the label, and is searched too. */
  hint?: string | undefined
}

interface ChecklistProps {
  legend: string
  /** The label of the search. */
  find: string
  boxes: readonly Box[]
  chosen: readonly string[]
  onChoose: (ids: string[]) => void
}

/** More than that need a search, and so many are shown. */
const MANY = 20

export function Checklist({ legend, find, boxes, chosen, onChoose }: ChecklistProps) {
  const [words, setWords] = useState('')
  const isMany = boxes.length > MANY
  const found = isMany ? boxes.filter((box) => isFound(box, words) || chosen.includes(box.id)) : boxes
  // Those that were checked when the words changed come first: a box stays where it is when it is checked.
  const [first, setFirst] = useState(chosen)
  const shown = found.toSorted((a, b) => Number(first.includes(b.id)) - Number(first.includes(a.id))).slice(0, MANY)
  const search = (next: string) => {
    setWords(next)
    setFirst(chosen)
  }
  const toggle = (id: string) => onChoose(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id])
  return (
    <fieldset class="many" onKeyDown={stayInForm}>
      <legend>{legend}</legend>
      {isMany && <SearchField label={find} value={words} onValue={search} />}
      {isMany && (
        <p class="hint" role="status">
          {found.length > shown.length && `${formatNumber(found.length - shown.length)} more: search for them. `}
          {found.length === 0 ? 'None has this in its name.' : `${formatNumber(chosen.length)} checked.`}
        </p>
      )}
      {shown.map(({ id, label, hint }) => (
        <label key={id}>
          <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} /> <bdi>{label}</bdi>
          {hint !== undefined && <span class="hint"> {hint}</span>}
        </label>
      ))}
    </fieldset>
  )
}

function isFound({ label, hint = '' }: Box, words: string): boolean {
  return `${label} ${hint}`.toLowerCase().includes(words.trim().toLowerCase())
}

/** Enter in the search would submit the form around it. */
function stayInForm(event: KeyboardEvent): void {
  if (event.key === 'Enter' && (event.target as HTMLInputElement).type === 'search') event.preventDefault()
}
