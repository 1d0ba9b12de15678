// The entries of the audit log. Each opens to its details.

import type { AuditEntry } from '../../api/client.js'
import type { SiteNames } from '../../api/use-site-names.js'
import { formatTime } from '../../format.js'
import { Table } from '../../parts/lists/table.js'
import { Disclosure } from '../../parts/states/disclosure.js'
import { PersonName } from '../members/person-name.js'
import { sentenceOf } from './words.js'

const ERASED = 'erased'

export function AuditTable({ entries, namesOf }: { entries: readonly AuditEntry[]; namesOf: SiteNames }) {
  const rows = entries.map((entry) => ({
    key: String(entry.number),
    cells: [
      <time dateTime={entry.at}>{formatTime(entry.at)}</time>,
      <div class="long-text">
        {entry.personal?.name === undefined ? ERASED : <PersonName name={entry.personal.name} />}
        <div class="hint">{wordsFor(entry.actor)}</div>
      </div>,
      <Disclosure class="long-text" title={sentenceOf(entry, namesOf)}>
        <Details of={entry} />
      </Disclosure>,
      <Place of={entry} />,
    ],
  }))
  return <Table label="Audit log" columns={['When', 'Who', 'What', 'From where']} headingAt={2} rows={rows} />
}

/** The ids, and all else that is recorded. */
function Details({ of: { number, action, target, details, actor, hash } }: { of: AuditEntry }) {
  const facts = Object.entries(details).map(([name, value]): [string, string] => [name, wordsOf(value)])
  const all: [string, string][] = [
    ['entry', String(number)],
    ['action', action],
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
