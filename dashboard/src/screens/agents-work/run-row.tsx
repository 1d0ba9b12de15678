// One run of an agent or key in a site. It opens to its changes, and a button takes all of it back.

import { useState } from 'preact/hooks'
import { readChange, wordsOfChange } from '../../../../src/model/change-words.js'
import type { AgentRun } from '../../api/client.js'
import { formatCount, nameOfSite } from '../../format.js'
import { Button } from '../../parts/controls/button.js'
import { notify } from '../../parts/overlays/notices.js'
import { Allowed, useMay } from '../../parts/rights/allowed.js'
import { Badge } from '../../parts/states/badge.js'
import { ActWords } from '../history/act-words.js'
import { ChangeDetails } from '../history/change-details.js'
import { ChangeRow } from '../history/change-row.js'
import { TakeBack } from '../history/take-back.js'
import type { Who } from '../history/who.js'
import { wordsOfRun } from './run-words.js'

/** More changes of one run are counted. */
const MAX_SHOWN = 50

interface RunRowProps {
  run: AgentRun
  onUndo: () => void
  /** After one change was taken back. */
  onChanged: () => void
}

export function RunRow({ run, onUndo, onChanged }: RunRowProps) {
  const { maker, person, site, commits } = run
  const words = wordsOfRun(run)
  const who: Who = {
    name: maker.name,
    kind: maker.kind === 'agent' ? 'agent' : 'key',
    ...(person && { person: person.name }),
  }
  const [only] = commits
  return (
    <ChangeRow
      who={who}
      words={
        <>
          {words} in <bdi>{nameOfSite(site)}</bdi>
        </>
      }
      said={commits.length === 1 && only ? readChange(only.subject).said : undefined}
      marks={maker.ended && <Badge>{maker.kind === 'agent' ? 'disconnected' : 'ended'}</Badge>}
      time={run.endedAt}
      menuLabel=""
      menu={[]}
      action={
        <Allowed to="write">
          <Button
            isSmall
            icon="undo"
            aria-label={`Undo: ${maker.name} ${words} in ${nameOfSite(site)}`}
            onClick={onUndo}
          >
            Undo
          </Button>
        </Allowed>
      }
    >
      {() =>
        commits.length === 1 && only ? (
          <ChangeDetails site={site} id={only.id} />
        ) : (
          <Changes run={run} who={who} onChanged={onChanged} />
        )
      }
    </ChangeRow>
  )
}

function Changes({
  run: { site, commits, commitCount },
  who,
  onChanged,
}: Pick<RunRowProps, 'run' | 'onChanged'> & { who: Who }) {
  const may = useMay()
  const [target, setTarget] = useState<AgentRun['commits'][number]>()
  return (
    <>
      <ol class="changes">
        {commits.slice(0, MAX_SHOWN).map((commit) => {
          const { done, said } = readChange(commit.subject)
          return (
            <ChangeRow
              key={commit.id}
              who={who}
              words={<ActWords act={done} />}
              said={said}
              time={commit.createdAt}
              menuLabel={`More about “${commit.subject}”`}
              menu={may('write') ? [{ label: 'Take this back…', icon: 'undo', run: () => setTarget(commit) }] : []}
            >
              {() => <ChangeDetails site={site} id={commit.id} />}
            </ChangeRow>
          )
        })}
      </ol>
      {commitCount > MAX_SHOWN && (
        <p class="hint">
          and {formatCount(commitCount - MAX_SHOWN, 'earlier change')}, which the{' '}
          <a href={`/sites/${site.slug}/history`}>history of the site</a> has
        </p>
      )}
      {target && (
        <TakeBack
          site={site}
          commit={{ id: target.id, message: target.subject }}
          onClose={() => setTarget(undefined)}
          onDone={({ changed }) => {
            notify(
              changed === false
                ? 'There was nothing left to take back.'
                : `Taken back: ${wordsOfChange(target.subject)}.`,
            )
            setTarget(undefined)
            onChanged()
          }}
        />
      )}
    </>
  )
}
