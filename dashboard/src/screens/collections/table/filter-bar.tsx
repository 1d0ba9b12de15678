// The conditions of the table: those that hold, each with a button that removes it, and a form for one more.

import { useState } from 'preact/hooks'
import { Button } from '../../../parts/controls/button.js'
import { Select } from '../../../parts/controls/select.js'
import { IconButton } from '../../../parts/controls/icon-button.js'
import { Form } from '../../../parts/controls/form.js'
import { Popover } from '../../../parts/overlays/popover.js'
import type { Field, Shape } from '../fields/field.js'
import { PlainInput } from '../form/plain-input.js'
import { canFilter, type Condition, type Operator, operatorsOf, wordsOfCondition } from './conditions.js'

interface FilterProps {
  fields: readonly Field[]
  conditions: readonly Condition[]
  onConditions: (conditions: readonly Condition[]) => void
}

export function AddFilter({ fields, conditions, onConditions }: FilterProps) {
  const offered = fields.filter(canFilter)
  if (offered.length === 0) return null
  return (
    <Popover label="Filter" button="Filter" icon="filter">
      {(close: () => void) => (
        <NewCondition
          fields={offered}
          onAdd={(added) => {
            // One field cannot hold the same comparison twice.
            const others = conditions.filter(({ field, op }) => field !== added.field || op !== added.op)
            onConditions([...others, added])
            close()
          }}
        />
      )}
    </Popover>
  )
}

/** Shows nothing while there are no conditions. */
export function Conditions({ fields, conditions, onConditions }: FilterProps) {
  if (conditions.length === 0) return null
  return (
    <ul class="conditions" aria-label="Filters">
      {conditions.map((condition) => {
        const words = wordsOfCondition(condition, fields)
        return (
          <li key={words} class="badge info">
            {words}
            <IconButton
              isSmall
              icon="close"
              label={`Remove the filter: ${words}`}
              onClick={() => onConditions(conditions.filter((each) => each !== condition))}
            />
          </li>
        )
      })}
    </ul>
  )
}

interface NewConditionProps {
  fields: readonly Field[]
  onAdd: (condition: Condition) => void
}

function NewCondition({ fields, onAdd }: NewConditionProps) {
  const [name, setName] = useState(fields[0]?.name ?? '')
  const field = fields.find((each) => each.name === name)
  const operators = field ? operatorsOf(field.shape) : []
  const [chosen, setChosen] = useState<Operator>()
  const [value, setValue] = useState<unknown>()
  const op = operators.find(([each]) => each === chosen)?.[0] ?? operators[0]?.[0]
  const text = textOf(value)
  const add = async () => {
    if (op !== undefined && text !== '') onAdd({ field: name, op, value: text })
  }
  return (
    <Form class="filter" onSubmit={add}>
      <Select
        label="Field"
        value={name}
        from={fields.map((each) => each.name)}
        labelOf={(each) => fields.find((one) => one.name === each)?.label ?? each}
        onChoose={(next) => {
          setName(next)
          setValue(undefined)
        }}
      />
      <Select
        label="Comparison"
        value={op ?? 'eq'}
        from={operators.map(([each]) => each)}
        labelOf={(each) => operators.find(([one]) => one === each)?.[1] ?? each}
        onChoose={setChosen}
      />
      {field && (
        <PlainInput
          key={name}
          shape={inputOf(field.shape)}
          value={value}
          onValue={setValue}
          attributes={{ 'aria-label': 'Value' }}
        />
      )}
      <Button type="submit" kind="main" disabled={text === ''}>
        Add the filter
      </Button>
    </Form>
  )
}

/** A condition compares with one line, an entry of the list, or yes and no. */
function inputOf(shape: Shape): Shape {
  if (shape.kind === 'list') return inputOf(shape.of)
  if (shape.kind === 'long text' || shape.kind === 'picture') return { kind: 'text' }
  if (shape.kind !== 'yes or no') return shape
  return {
    kind: 'choice',
    choices: [
      { value: true, label: 'Yes' },
      { value: false, label: 'No' },
    ],
  }
}

function textOf(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
