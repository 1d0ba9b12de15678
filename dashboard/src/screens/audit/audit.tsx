// The audit log of the workspace: who changed keys, people, sites and settings, and who signed in.

import { useState } from 'preact/hooks'
import { api, type AuditEntry } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { useTitle } from '../../browser/title.js'
import { AwaitList, Empty } from '../../parts/state.js'
import { AuditTable } from './audit-table.js'
import { AuditFilters, type Filter, NO_FILTER, queryOf } from './audit-filters.js'
import { ExportAudit } from './export-audit.js'

export function AuditScreen() {
  const [filter, setFilter] = useState<Filter>(NO_FILTER)
  const query = queryOf(filter)
  const entries = useList<AuditEntry>(`audit ${JSON.stringify(query)}`, (cursor, signal) =>
    api.GET('/audit', { params: { query: { limit: 100, ...query, ...cursor } }, signal }),
  )
  useTitle('Audit log')
  return (
    <>
      <div class="bar">
        <h1 class="grow">Audit log</h1>
        <ExportAudit query={query} />
      </div>
      <AuditFilters filter={filter} onChange={setFilter} />
      <AwaitList of={entries} moreLabel="Older entries" empty={<NoEntries />}>
        {(shown) => <AuditTable entries={shown} />}
      </AwaitList>
    </>
  )
}

function NoEntries() {
  return (
    <Empty title="No entries">
      <p>Nothing in the log matches these filters. Changes of pages are in the history of their site.</p>
    </Empty>
  )
}
