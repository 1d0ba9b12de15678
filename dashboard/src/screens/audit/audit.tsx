// The audit log of the workspace: who changed keys, people, sites and settings, and who signed in.

import { useState } from 'preact/hooks'
import { api, type AuditEntry } from '../../api/client.js'
import { readAll, useList } from '../../api/use-list.js'
import { useSiteNames } from '../../api/use-site-names.js'
import { useTitle } from '../../browser/title.js'
import { AwaitList } from '../../parts/states/await.js'
import { EmptyState } from '../../parts/states/empty-state.js'
import { AuditTable } from './audit-table.js'
import { AuditFilters, type AuditQuery, type Filter, NO_FILTER, queryOf } from './audit-filters.js'
import { useOneAtATime } from '../../browser/use-one-at-a-time.js'
import { formatCount } from '../../format.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { Button } from '../../parts/controls/button.js'

export function AuditScreen() {
  const [filter, setFilter] = useState<Filter>(NO_FILTER)
  const query = queryOf(filter)
  const entries = useList<AuditEntry>(`audit ${JSON.stringify(query)}`, (cursor, signal) =>
    api.GET('/audit', { params: { query: { limit: 100, ...query, ...cursor } }, signal }),
  )
  const namesOf = useSiteNames()
  useTitle('Audit log')
  return (
    <>
      <div class="bar">
        <h1 class="grow">Audit log</h1>
        <ExportAudit query={query} />
      </div>
      <AuditFilters filter={filter} onChange={setFilter} />
      <AwaitList of={entries} moreLabel="Older entries" empty={<NoEntries />}>
        {(shown) => <AuditTable entries={shown} namesOf={namesOf} />}
      </AwaitList>
    </>
  )
}

function NoEntries() {
  return (
    <EmptyState title="No entries">
      <p>Nothing in the log matches these filters. Changes of pages are in the history of their site.</p>
    </EmptyState>
  )
}

/** A browser holds so many; `palimpsest audit export` has no limit. */
const MAX_ENTRIES = 100_000

/** The button that saves the filtered entries of the audit log as JSON lines. */
function ExportAudit({ query }: { query: AuditQuery }) {
  const [count, setCount] = useState<number>()
  const save = useOneAtATime(async () => {
    setCount(0)
    try {
      const { entries, nextCursor } = await readAll<AuditEntry>(
        (cursor) => api.GET('/audit', { params: { query: { limit: 1000, ...query, ...cursor } } }),
        { max: MAX_ENTRIES, onSlice: (list) => setCount(list.entries.length) },
      )
      saveLines(entries)
      const rest = nextCursor === null ? '' : ' Use “palimpsest audit export” on the server for all.'
      notify(`${formatCount(entries.length, 'entry', 'entries')} saved.${rest}`)
    } catch (error) {
      notifyFailure(error)
    }
    setCount(undefined)
  })
  return (
    <Button onClick={() => void save()}>
      {count === undefined ? 'Export' : `Reading ${formatCount(count, 'entry', 'entries')}…`}
    </Button>
  )
}

function saveLines(entries: readonly AuditEntry[]): void {
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`)
  const url = URL.createObjectURL(new Blob(lines, { type: 'application/jsonl' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `audit-${new Date().toISOString().slice(0, 10)}.jsonl`
  link.click()
  URL.revokeObjectURL(url)
}
