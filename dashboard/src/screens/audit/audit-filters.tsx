// The filters of the audit log: what was done, who did it, and when.

import { api, dataOf, type Member } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { Field } from '../../parts/controls/field.js'
import { Select } from '../../parts/controls/select.js'
import { FilterBar } from '../../parts/lists/filter-bar.js'
import { Popover } from '../../parts/overlays/popover.js'

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
  ['link', 'links to look at a site'],
  ['protection', 'protected sites'],
  ['change-request', 'change requests'],
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
  const people = members.data ?? []
  const set = (change: Partial<Filter>) => onChange({ ...filter, ...change })
  return (
    <FilterBar>
      <Select
        label="About"
        value={filter.topic}
        from={TOPICS.map(([topic]) => topic)}
        labelOf={(each) => TOPICS.find(([topic]) => topic === each)?.[1] ?? each}
        onChoose={(topic) => set({ topic })}
      />
      <Select
        label="By"
        value={filter.actor}
        from={['', ...people.map(({ id }) => id)]}
        labelOf={(each) => people.find(({ id }) => id === each)?.name ?? 'anybody'}
        onChoose={(actor) => set({ actor })}
      />
      <Day label="From" value={filter.from} onDay={(from) => set({ from })} />
      <Day label="To" value={filter.to} onDay={(to) => set({ to })} />
      <Popover label="More filters" icon="filter" button={filter.target === '' ? 'More' : 'More: 1 set'}>
        <Field
          label="Id of what changed"
          hint="Such as the id of a key. The details of an entry show it."
          value={filter.target}
          onValue={(target) => set({ target })}
        />
      </Popover>
    </FilterBar>
  )
}

function Day({ label, value, onDay }: { label: string; value: string; onDay: (day: string) => void }) {
  return (
    <label class="select">
      <span class="hint">{label}</span>
      <input type="date" max="9999-12-31" value={value} onInput={(event) => onDay(event.currentTarget.value)} />
    </label>
  )
}
