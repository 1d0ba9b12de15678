// The mirror of the site: its repository, its state, the error if there is one, and buttons.

import { useEffect, useState } from 'preact/hooks'
import { api, dataOf, type Mirror, type Site } from '../../../api/client.js'
import { useLoaded } from '../../../api/use-loaded.js'
import { formatCount, formatTime } from '../../../format.js'
import { Age } from '../../../parts/states/age.js'
import { Facts } from '../../../parts/lists/facts.js'
import { notify, notifyFailure } from '../../../parts/overlays/notices.js'
import { Await } from '../../../parts/states/await.js'
import { SetMirror } from './set-mirror.js'
import { Button } from '../../../parts/controls/button.js'

/** Interval of the checks while a push is due or under way. */
const LOOK_MS = 1000

export function MirrorPanel({ site }: { site: Site }) {
  const [isSetting, setSetting] = useState(false)
  const path = { id: site.id }
  const loaded = useLoaded<Mirror>(`mirror of ${site.id}`, async (signal) =>
    dataOf(await api.GET('/sites/{id}/mirror', { params: { path }, signal })),
  )
  useEffect(() => {
    const wait = loaded.data && nextLookIn(loaded.data)
    const timer = wait === undefined ? undefined : setTimeout(loaded.reload, wait)
    return () => clearTimeout(timer)
  }, [loaded.data, loaded.error])
  const retry = async () => {
    try {
      loaded.put(dataOf(await api.POST('/sites/{id}/mirror/retry', { params: { path } })))
    } catch (error) {
      notifyFailure(error)
    }
  }
  const remove = async () => {
    try {
      dataOf(await api.DELETE('/sites/{id}/mirror', { params: { path } }))
      notify('The mirror is switched off. The remote stays as it is.')
      loaded.reload()
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <section class="panel">
      <h3>Mirror</h3>
      <p class="hint">
        After each change of the site, its branch main and its tags are pushed to a repository elsewhere.
      </p>
      <Await of={loaded}>
        {(mirror) => (
          <>
            {mirror.url !== null && <MirrorFacts mirror={mirror} />}
            <div class="bar">
              <Button onClick={() => setSetting(true)}>
                {mirror.url === null ? 'Mirror the site…' : 'Change the mirror…'}
              </Button>
              {mirror.url !== null && mirror.state !== 'ok' && <Button onClick={() => void retry()}>Try again</Button>}
              {mirror.url !== null && <Button onClick={() => void remove()}>Switch off</Button>}
            </div>
          </>
        )}
      </Await>
      {isSetting && (
        <SetMirror
          site={site}
          url={loaded.data?.url ?? ''}
          onClose={() => setSetting(false)}
          onSet={(mirror) => {
            setSetting(false)
            loaded.put(mirror)
          }}
        />
      )}
    </section>
  )
}

/** Returns the milliseconds until the state may change; undefined if only a change of the site can change it. */
function nextLookIn({ state, nextTryAt }: Mirror): number | undefined {
  if (state === 'behind') return LOOK_MS
  return nextTryAt === null ? undefined : Math.max(Date.parse(nextTryAt) - Date.now(), 0) + LOOK_MS
}

const STATES: Readonly<Record<Mirror['state'], string>> = {
  ok: 'Up to date',
  behind: 'Is being pushed',
  failed: 'The last push failed',
  diverged: 'Stopped: the remote has changes of its own',
  off: 'Off',
}

function MirrorFacts({ mirror }: { mirror: Mirror }) {
  const { url, state, lag, error, lastSuccessAt, nextTryAt } = mirror
  return (
    <>
      <Facts
        facts={[
          ['Repository', <code>{url}</code>],
          [
            'State',
            lag === null || lag === 0 ? STATES[state] : `${STATES[state]}, ${formatCount(lag, 'commit')} behind`,
          ],
          ['Last success', lastSuccessAt === null ? 'none yet' : <Age of={lastSuccessAt} />],
          ...(nextTryAt === null ? [] : [['Next try', formatTime(nextTryAt)] as [string, string]]),
        ]}
      />
      {error !== null && (
        <p class="hint wrong" role="status">
          {error}
        </p>
      )}
    </>
  )
}
