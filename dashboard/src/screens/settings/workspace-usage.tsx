// The use of the workspace: each figure beside its quota, with a bar where there is one.

import { api, dataOf, type Usage } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { formatBytes, formatNumber } from '../../format.js'
import { Await } from '../../parts/states/await.js'

/** The share of a quota from which its bar warns. */
const NEARLY_FULL = 0.9

export function WorkspaceUsage() {
  const loaded = useLoaded<Usage>('usage', async (signal) => dataOf(await api.GET('/usage', { signal })))
  return (
    <section class="panel">
      <h3>Usage of the workspace</h3>
      <Await of={loaded}>
        {({ bytes, pages, sites }) => (
          <div class="meters">
            <Meter label="Storage, history included" use={bytes} format={formatBytes} />
            <Meter label="Published pages" use={pages} format={formatNumber} />
            <Meter label="Sites" use={sites} format={formatNumber} />
          </div>
        )}
      </Await>
      <p class="hint">
        The operator of the service sets the limits. Past a limit, nothing more is taken; what is there stays.
      </p>
    </section>
  )
}

interface MeterProps {
  label: string
  use: Usage['bytes']
  format: (value: number) => string
}

function Meter({ label, use: { used, quota }, format }: MeterProps) {
  const figures = quota === null ? `${format(used)}, no limit` : `${format(used)} of ${format(quota)}`
  const isFull = quota !== null && used >= quota * NEARLY_FULL
  return (
    <div class="meter">
      <div class="meter-line">
        <span>{label}</span>
        <span class={isFull ? 'wrong' : 'hint'}>{figures}</span>
      </div>
      {quota !== null && (
        <progress
          class={isFull ? 'full' : ''}
          aria-label={label}
          value={Math.min(used, quota)}
          max={Math.max(quota, 1)}
        >
          {figures}
        </progress>
      )}
    </div>
  )
}
