// The filters of the audit log: what was done, who did it, and when.

import { api, dataOf, type Member } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { Field } from '../../parts/field.js'

/** The subjects of the log: the first word of their actions, and their names. */
const TOPICS: readonly [string, string][] = [
  ['', 'everything'],
  ['session', 'sign-ins'],
  ['passkey', 'passkeys'],
  ['identity', 'accounts at providers'],
  ['member', 'members'],
  ['invitation', 'invitations'],
  ['mail-domain', 'mail domains'],
  ['key', 'keys'],
  ['agent', 'agents'],
  ['site', 'sites'],
  ['mirror', 'mirrors'],
  ['link', 'links to the past'],
  ['version', 'withdrawn versions'],
  ['workspace', 'the workspace'],
]

export interface Filter {
  topic: string
  /** The id of a person. */
  actor: string
  /** The id of what it was done to. */
  target: string
  /** Days as date fields give them. */
  from: string
  to: string
}

export const NO_FILTER: Filter = { topic: '', actor: '', target: '', from: '', to: '' }

export interface AuditQuery {
  action?: string
  actor?: string
  target?: string
  since?: string
  until?: string
}

/** Returns the query of the API. Days are those of the person's time zone. */
export function queryOf({ topic, actor, target, from, to }: Filter): AuditQuery {
  return {
    ...(topic !== '' && { action: topic }),
    ...(actor !== '' && { actor }),
    ...(target.trim() !== '' && { target: target.trim() }),
    ...(from !== '' && { since: new Date(`${from}T00:00:00`).toISOString() }),
    ...(to !== '' && { until: new Date(new Date(`${to}T00:00:00`).getTime() + 86_400_000).toISOString() }),
  }
}

export function AuditFilters({ filter, onChange }: { filter: Filter; onChange: (filter: Filter) => void }) {
  const members = useLoaded<Member[]>('members of the filter', async (signal) =>
    dataOf(await api.GET('/members', { params: { query: { limit: 1000 } }, signal })),
  )
  const people = (members.data ?? []).map(({ id, name }): [string, string] => [id, name])
  const set = (change: Partial<Filter>) => onChange({ ...filter, ...change })
  return (
    <div class="bar filters">
      <Choice label="About" value={filter.topic} from={TOPICS} onChoose={(topic) => set({ topic })} />
      <Choice
        label="By"
        value={filter.actor}
        from={[['', 'anybody'], ...people]}
        onChoose={(actor) => set({ actor })}
      />
      <Field label="Id of what changed" value={filter.target} onValue={(target) => set({ target })} />
      <Field label="From" type="date" value={filter.from} onValue={(from) => set({ from })} />
      <Field label="To" type="date" value={filter.to} onValue={(to) => set({ to })} />
    </div>
  )
}

interface ChoiceProps {
  label: string
  value: string
  /** Values and their texts. */
  from: readonly (readonly [string, string])[]
  onChoose: (value: string) => void
}

function Choice({ label, value, from, onChoose }: ChoiceProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {from.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
