// The entries of the audit log. Each opens to its details.

import type { AuditEntry } from '../../api/client.js'
import { formatTime } from '../../format.js'
import { DataTable } from '../../parts/data-table.js'

const ERASED = 'erased'
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  const rows = entries.map((entry) => ({
    key: String(entry.number),
    cells: [
      <time dateTime={entry.at}>{formatTime(entry.at)}</time>,
      <div class="long-text">
        {entry.personal?.name ?? ERASED}
        <div class="hint">{wordsFor(entry.actor)}</div>
      </div>,
      <details>
        <summary>{entry.action.replace('.', ': ').replaceAll(/[_-]/g, ' ')}</summary>
        <Details of={entry} />
      </details>,
      <div class="long-text">{targetOf(entry)}</div>,
      <Place of={entry} />,
    ],
  }))
  return <DataTable label="Audit log" columns={['When', 'Who', 'What', 'To', 'From where']} headingAt={2} rows={rows} />
}

function Details({ of: { number, target, details, actor, hash } }: { of: AuditEntry }) {
  const facts = Object.entries(details).map(([name, value]): [string, string] => [name, wordsOf(value)])
  const all: [string, string][] = [
    ['entry', String(number)],
    ['target', target],
    ['by', actor.id],
    ...facts,
    ['hash', hash],
  ]
  return (
    <dl class="long-text">
      {all.map(([name, value]) => (
        <div key={name}>
          <dt class="hint">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function wordsFor({ kind, client }: AuditEntry['actor']): string {
  if (kind === 'key') return 'with a key'
  if (kind === 'agent') return `through ${client ?? 'an agent'}`
  if (kind === 'token') return 'with a token'
  if (kind === 'operator') return 'on the server'
  return kind === 'nobody' ? 'by a link' : 'signed in'
}

/** Returns the name of what it was done to, else its kind and the first digits of its id. */
function targetOf({ target, personal, details }: AuditEntry): string {
  const [kind = '', id = ''] = target.split(' ')
  const { slug } = details as { slug?: unknown }
  const name = personal?.about ?? (typeof slug === 'string' ? slug : undefined)
  return `${kind.replace('-', ' ')} ${name ?? (UUID.test(id) ? id.slice(0, 8) : id)}`
}

function Place({ of: { personal, actor } }: { of: AuditEntry }) {
  const { address, device } = personal ?? {}
  const nowhere = actor.kind === 'operator' ? 'the server' : '-'
  return (
    <div class="long-text">
      {personal === null ? ERASED : (device ?? address ?? nowhere)}
      {device !== undefined && <div class="hint">{address}</div>}
    </div>
  )
}
