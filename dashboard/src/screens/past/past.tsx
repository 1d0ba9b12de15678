// A slider over the whole past of a site. It shows the site as it was, and tells what differs from now. A page, a folder or all can be
// brought back.

import '../../styles/history.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { api, type Commit, dataOf, type Site, type Undo } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { useSettled } from '../../api/use-settled.js'
import { replaceQuery, useQuery } from '../../browser/router.js'
import { useTitle } from '../../browser/title.js'
import { formatTime, nameOfSite } from '../../format.js'
import { LinkButton } from '../../parts/controls/button.js'
import { OpenPast } from '../../parts/controls/open-past.js'
import { notifyFailure } from '../../parts/overlays/notices.js'
import { useMay } from '../../parts/rights/allowed.js'
import { Await } from '../../parts/states/await.js'
import { PreviewPane, useWidth } from '../page/edit/preview-pane.js'
import { Differences } from './differences.js'
import { proposeRestore, restore } from './restore.js'
import { TimeSlider } from './time-slider.js'
import { otherDay, type Past, type UsedPast, usePast } from './use-past.js'

/** A hand that rests so long has found its place. */
const REST_MS = 250
const ONLY_READS = 'Your role here only reads: the slider tells what changed. An editor sees the site as it was.'

export function PastScreen({ site }: { site: Site }) {
  const { past, find } = usePast(site, useQuery().get('at'))
  useTitle('The past', nameOfSite(site))
  return (
    <>
      <div class="bar">
        <h2 class="grow">The site as it was</h2>
        <LinkButton href={`/sites/${site.slug}/history`} icon="history">
          History
        </LinkButton>
      </div>
      <Await of={past}>
        {(data) => <Slid key={data.newest} site={site} past={data} find={find} onChanged={past.reload} />}
      </Await>
    </>
  )
}

interface SlidProps {
  site: Site
  past: Past
  find: UsedPast['find']
  onChanged: () => void
}

function Slid({ site, past: { newest, asked, commits }, find, onChanged }: SlidProps) {
  const [at, setAt] = useState(asked)
  const rested = useSettled(at, REST_MS)
  const shown = commits.get(rested)
  useEffect(() => {
    if (shown === undefined) void find(rested).catch(notifyFailure)
    else replaceQuery({ at: rested === newest ? '' : shown.id.slice(0, 10) })
  }, [rested, shown?.id])
  const moveByDay = async (step: 1 | -1) => {
    const from = commits.get(at) ?? (await find(at))
    if (from !== undefined) setAt(await otherDay(from, step, newest, find))
  }
  return (
    <>
      <TimeSlider
        at={at}
        newest={newest}
        commit={commits.get(at)}
        onMove={setAt}
        onMoveByDay={(step) => void moveByDay(step).catch(notifyFailure)}
      />
      <Then
        site={site}
        commit={rested === newest ? undefined : shown}
        isNow={rested === newest}
        onChanged={onChanged}
      />
    </>
  )
}

interface ThenProps {
  site: Site
  /** Undefined for now, and until it is known. */
  commit: Commit | undefined
  isNow: boolean
  onChanged: () => void
}

/** The picture of the site, and what differs from now: a dry run of going back tells both. */
function Then({ site, commit, isNow, onChanged }: ThenProps) {
  const may = useMay()
  const [width] = useWidth()
  const [path, setPath] = useState('/')
  const [isBusy, setBusy] = useState(false)
  const tried = useLoaded<Undo | undefined>(`back to ${may('try') ? commit?.id : ''}`, async (signal) => {
    if (commit === undefined || !may('try')) return undefined
    const params = { path: { id: site.id }, query: { dryRun: true } }
    return dataOf(await api.POST('/sites/{id}/undo', { params, body: { backTo: commit.id }, signal }))
  })
  const dryRun = tried.data?.dryRun
  const picture = useLast(isNow ? site.url : dryRun && (dryRun.previewUrl ?? ''))
  const isHeld = site.protection === 'all' || !may('write')
  const send = async (paths?: string[]) => {
    if (commit === undefined) return
    setBusy(true)
    const wanted = { backTo: commit.id, paths }
    await (isHeld
      ? proposeRestore(site, wanted, `Back to ${formatTime(commit.createdAt)}`)
      : restore(site, wanted, onChanged)
    ).catch(notifyFailure)
    setBusy(false)
  }
  return (
    <div class="past">
      <PreviewPane
        preview={{ ...shownPicture(picture, path, may('try') || isNow), ...problemOf(tried.error) }}
        width={width}
      />
      <section aria-label="What differs from now" class="then-and-now">
        {isNow && <p class="hint">This is the site now. Drag the slider to go back in time.</p>}
        {commit !== undefined && (
          <OpenPast site={site} commit={commit.id} label="Open the site as it was in a new tab" />
        )}
        {commit !== undefined && dryRun !== undefined && (
          <Differences
            files={dryRun.files}
            act={isHeld ? 'Propose' : 'Restore'}
            isBusy={isBusy}
            onRestore={(paths) => void send(paths)}
            onShow={setPath}
          />
        )}
      </section>
    </div>
  )
}

function shownPicture(url: string | undefined, path: string, maySee: boolean) {
  if (!maySee) return { absence: ONLY_READS }
  if (url === '') return { absence: 'The site is too large for a picture. Open it in a new tab.' }
  return url === undefined ? { absence: 'Going back in time…' } : { url: new URL(path, url).href }
}

function problemOf(error: Error | undefined) {
  return error && { problem: error.message }
}

/** Returns the last value that was there. */
function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value)
  if (value !== undefined) last.current = value
  return last.current
}
