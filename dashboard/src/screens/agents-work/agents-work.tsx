// The work of agents and keys in all sites, newest first: each run with its changes, and one Undo.

import { useState } from 'preact/hooks'
import { type AgentRun, api, type Site, siteApi, sliceOf } from '../../api/client.js'
import { type LoadedList, useList } from '../../api/use-list.js'
import { useLoaded } from '../../api/use-loaded.js'
import { useQuery } from '../../browser/router.js'
import { useTitle } from '../../browser/title.js'
import { notify } from '../../parts/overlays/notices.js'
import { AwaitList } from '../../parts/states/await.js'
import { EmptyState } from '../../parts/states/empty-state.js'
import { Skeleton } from '../../parts/states/skeleton.js'
import { openSite } from '../../frame/find-site.js'
import { AgentsBar } from '../agents/agents-bar.js'
import { ByDay } from '../history/by-day.js'
import { RunRow } from './run-row.js'
import { UndoRun } from './undo-run.js'
import { WorkFilters } from './work-filters.js'

export function AgentsWorkScreen() {
  useTitle('Work of agents')
  const query = useQuery()
  const slug = query.get('site') ?? ''
  const maker = query.get('by') ?? ''
  const sites = useLoaded<Site[]>('sites of agents', async (signal) => {
    return sliceOf<Site>(await api.GET('/sites', { params: { query: { limit: 1000 } }, signal })).entries
  })
  const named = useLoaded<Site | null>(`site of the work ${slug}`, async (signal) =>
    slug === '' ? null : await openSite(slug, signal),
  )
  const site = named.data ?? undefined
  // Only a site in the address has to be known first.
  const isKnown = slug === '' || named.data !== undefined
  return (
    <>
      <AgentsBar shown="/agents/work" />
      <WorkFilters sites={sites.data ?? []} site={site?.slug ?? ''} maker={maker} />
      {isKnown ? <Work key={`${site?.id} ${maker}`} site={site} maker={maker} /> : <Skeleton />}
    </>
  )
}

function Work({ site, maker }: { site: Site | undefined; maker: string }) {
  const runs = useList<AgentRun>(`work of ${maker} in ${site?.id}`, (cursor, signal) => {
    const params = { query: { limit: 20, ...(maker !== '' && { maker }), ...cursor } }
    return (site === undefined ? api : siteApi(site)).GET('/agents/work', { params, signal })
  })
  return (
    <AwaitList of={runs} moreLabel="Older work" empty={<NoWork />}>
      {(entries) => <Runs of={entries} list={runs} />}
    </AwaitList>
  )
}

function Runs({ of, list }: { of: readonly AgentRun[]; list: LoadedList<AgentRun> }) {
  const [undoing, setUndoing] = useState<AgentRun>()
  return (
    <>
      <ByDay entries={of} timeOf={({ endedAt }) => endedAt}>
        {(run) => <RunRow key={run.commits[0]?.id} run={run} onUndo={() => setUndoing(run)} onChanged={list.reload} />}
      </ByDay>
      {undoing && (
        <UndoRun
          run={undoing}
          onClose={() => setUndoing(undefined)}
          onDone={() => {
            notify(`The work of ${undoing.maker.name} is undone.`)
            setUndoing(undefined)
            list.reload()
          }}
        />
      )}
    </>
  )
}

function NoWork() {
  return (
    <EmptyState title="No work yet" icon="agent">
      <p>Agents and programs with a key show here what they did, in all sites. One button takes it back.</p>
    </EmptyState>
  )
}
