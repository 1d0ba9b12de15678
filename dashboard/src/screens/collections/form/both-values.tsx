// The fields of a record that two people changed at once, for the second one to choose from.

import { Segmented } from '../../../parts/controls/segmented.js'
import { type Field, type Path, pointerOf, wordsOf } from '../fields/field.js'
import { cellText } from '../table/cell-text.js'
import type { Both, Clash } from './both-records.js'

interface BothValuesProps {
  both: Both
  fields: readonly Field[]
  author: string
  /** The JSON Pointers of the clashes at which mine is chosen. */
  mine: ReadonlySet<string>
  onChoose: (pointer: string, isMine: boolean) => void
}

export function BothValues({ both: { clashes }, fields, author, mine, onChoose }: BothValuesProps) {
  return (
    <>
      <p>
        {author} changed {clashes.length === 1 ? 'the same field' : 'the same fields'} meanwhile. Choose{' '}
        {clashes.length === 1 ? 'what stays' : 'for each what stays'}. All other changes of both are kept.
      </p>
      {clashes.map((clash) => {
        const pointer = pointerOf(clash.path)
        const label = labelAt(fields, clash.path)
        return (
          <section key={pointer} class="clash" aria-label={label}>
            <Segmented
              label={label}
              value={mine.has(pointer) ? 'mine' : 'theirs'}
              from={['theirs', 'mine']}
              labelOf={(side) => (side === 'mine' ? 'Mine' : 'Theirs')}
              onChoose={(side) => onChoose(pointer, side === 'mine')}
            />
            <Sides clash={clash} fields={fields} author={author} isMine={mine.has(pointer)} />
          </section>
        )
      })}
    </>
  )
}

interface SidesProps {
  clash: Clash
  fields: readonly Field[]
  author: string
  isMine: boolean
}

function Sides({ clash: { path, theirs, mine }, fields, author, isMine }: SidesProps) {
  const shape = fieldAt(fields, path)?.shape ?? { kind: 'json' as const }
  const shown = (value: unknown) => cellText(shape, value) || 'nothing'
  return (
    <dl>
      <div class={isMine ? '' : 'chosen'}>
        <dt>Saved now, by {author}</dt>
        <dd>{shown(theirs)}</dd>
      </div>
      <div class={isMine ? 'chosen' : ''}>
        <dt>Yours</dt>
        <dd>{shown(mine)}</dd>
      </div>
    </dl>
  )
}

function labelAt(fields: readonly Field[], path: Path): string {
  return path.map((name, at) => fieldAt(fields, path.slice(0, at + 1))?.label ?? wordsOf(name)).join(' › ')
}

function fieldAt(fields: readonly Field[], [name, ...rest]: Path): Field | undefined {
  const field = fields.find((each) => each.name === name)
  if (rest.length === 0) return field
  return field?.shape.kind === 'group' ? fieldAt(field.shape.fields, rest) : undefined
}
