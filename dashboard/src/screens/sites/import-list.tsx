// The sites that are being imported: the progress of each, the error if it failed, and a button to end it.

import { useEffect, useRef } from 'preact/hooks'
import { api, dataOf, type Site, sliceOf } from '../../api/client.js'
import { asError, useLoaded } from '../../api/use-loaded.js'
import { formatBytes, formatCount } from '../../format.js'
import { Allowed } from '../../parts/rights/allowed.js'
import { notify } from '../../parts/overlays/notices.js'
import { Button } from '../../parts/controls/button.js'

/** Interval of the checks while an import is under way. */
const LOOK_MS = 1000

export function ImportList({ onLive }: { onLive: () => void }) {
  const loaded = useLoaded<readonly Site[]>('imports', async (signal) => {
    return sliceOf(await api.GET('/sites', { params: { query: { state: 'importing' } }, signal })).entries
  })
  const imports = loaded.data ?? []
  const watched = useRef<readonly Site[]>([])
  useEffect(() => {
    if (loaded.data !== undefined) {
      const isGone = ({ id }: Site) => !imports.some((site) => site.id === id)
      if (watched.current.some(isGone)) onLive()
      watched.current = imports.filter(({ state }) => state === 'importing')
    }
    const timer = watched.current.length === 0 ? undefined : setTimeout(loaded.reload, LOOK_MS)
    return () => clearTimeout(timer)
  }, [loaded.data, loaded.error])
  const end = async ({ id, slug }: Site) => {
    try {
      dataOf(await api.DELETE('/sites/{id}', { params: { path: { id } } }))
    } catch (error) {
      notify(`${slug}: ${asError(error).message}`)
    }
    loaded.reload()
  }
  if (imports.length === 0) return null
  return (
    <ul class="cards">
      {imports.map((site) => (
        <li key={site.id} class="panel card">
          <h2>{site.slug}</h2>
          <p class="hint">{site.import?.url}</p>
          <p class={site.state === 'failed' ? 'hint wrong' : 'hint'} role="status">
            {statusOf(site)}
          </p>
          <Allowed to="manage">
            <Button onClick={() => void end(site)}>{site.state === 'failed' ? 'Dismiss' : 'Cancel'}</Button>
          </Allowed>
        </li>
      ))}
    </ul>
  )
}

function statusOf({ import: progress }: Site): string {
  if (progress === undefined) return ''
  const { phase, error, receivedBytes, objects } = progress
  if (phase === 'failed') return `The import failed: ${error ?? ''}`
  if (phase === 'waiting') return 'Waiting for its turn.'
  if (phase === 'checking') return 'Checking the repository…'
  if (receivedBytes === 0) return 'Asking the remote…'
  const parts = [formatBytes(receivedBytes), ...(objects === null ? [] : [`of ${formatCount(objects, 'object')}`])]
  return `Receiving: ${parts.join(' ')}`
}
