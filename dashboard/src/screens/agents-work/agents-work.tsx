// The work of agents in a site: their runs, with the reasons, and one Undo for each run.

import { useState } from 'preact/hooks'
import { api, type Commit, dataOf, type Me, type Site } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { useLoaded } from '../../api/use-loaded.js'
import { replaceQuery, useQuery } from '../../browser/router.js'
import { useTitle } from '../../browser/title.js'
import { formatCount } from '../../format.js'
import { RadioGroup, SelectBox } from '../../parts/choice.js'
import { notify } from '../../parts/notices.js'
import { Await, AwaitList, Empty } from '../../parts/state.js'
import { AgentsBar } from '../agents/agents-bar.js'
import { RevertCommit } from '../site/revert-commit.js'
import { RunEntry } from './run-entry.js'
import { type Run, runsIn } from './runs.js'
import { UndoRun } from './undo-run.js'

const WHOSE = ['mine', 'all'] as const
type Whose = (typeof WHOSE)[number]

export function AgentsWorkScreen({ me }: { me: Me }) {
  const wanted = useQuery().get('site')
  useTitle('Work of agents')
  const sites = useLoaded<Site[]>('sites of agents', async (signal) =>
    dataOf(await api.GET('/sites', { params: { query: { limit: 1000 } }, signal })),
  )
  return (
    <>
      <AgentsBar shown="/agents/work" />
      <Await of={sites}>
        {(all) => {
          const site = all.find(({ slug }) => slug === wanted) ?? all.find(({ isDefault }) => isDefault) ?? all[0]
          return site === undefined ? (
            <Empty title="There is no site that you may see" />
          ) : (
            <>
              <div class="bar">
                <SelectBox
                  label="Site"
                  value={site.slug}
                  from={all.map(({ slug }) => slug)}
                  onChoose={(slug) => replaceQuery({ site: slug })}
                />
              </div>
              <WorkIn key={site.id} site={site} me={me} />
            </>
          )
        }}
      </Await>
    </>
  )
}

function WorkIn({ site, me }: { site: Site; me: Me }) {
  const [whose, setWhose] = useState<Whose>('mine')
  const [undoing, setUndoing] = useState<Run>()
  const [reverting, setReverting] = useState<Commit>()
  const commits = useList<Commit>(`work of agents ${site.id}`, (cursor, signal) =>
    api.GET('/sites/{id}/commits', {
      params: { path: { id: site.id }, query: { agent: 'all', limit: 100, ...cursor } },
      signal,
    }),
  )
  const isShown = ({ agent }: Commit) => whose === 'all' || agent?.userId === me.person?.id
  const done = (text: string) => {
    setUndoing(undefined)
    setReverting(undefined)
    commits.reload()
    notify(text)
  }
  const reverted = ({ changed }: Commit) =>
    done(changed === false ? 'There is nothing left to revert.' : 'The commit is reverted.')
  return (
    <>
      <RadioGroup
        label="Whose agents"
        value={whose}
        from={WHOSE}
        labelOf={(each) => (each === 'mine' ? 'my agents' : 'everybody’s agents')}
        onChoose={setWhose}
      />
      <AwaitList of={commits} moreLabel="Older work" empty={<NoWork />}>
        {(entries) => {
          const runs = runsIn(entries.filter(isShown))
          if (runs.length === 0) return <NoWork />
          return (
            <ol class="commits">
              {runs.map((run) => (
                <RunEntry
                  key={run.commits[0]?.id}
                  site={site}
                  run={run}
                  onUndo={() => setUndoing(run)}
                  onRevert={setReverting}
                />
              ))}
            </ol>
          )
        }}
      </AwaitList>
      {undoing && (
        <UndoRun
          site={site}
          run={undoing}
          onClose={() => setUndoing(undefined)}
          onDone={({ undone }) => done(`${formatCount(undone.length, 'commit')} undone.`)}
        />
      )}
      {reverting && (
        <RevertCommit site={site} commit={reverting} onClose={() => setReverting(undefined)} onDone={reverted} />
      )}
    </>
  )
}

function NoWork() {
  return (
    <Empty title="No work yet">
      <p>
        Agents that sign in by consent show here what they did in this site. Programs with a key are in its history.
      </p>
    </Empty>
  )
}
