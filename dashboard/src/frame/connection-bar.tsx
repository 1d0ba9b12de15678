// The bar above all screens while the connection is lost. It goes by itself, and asks to repeat a step that was lost.

import { useEffect, useState } from 'preact/hooks'
import { tryNow, useLost, watchNetwork, whenBack } from '../api/connection.js'
import { Button } from '../parts/controls/button.js'
import { Icon } from '../parts/icons.js'
import { notify } from '../parts/overlays/notices.js'

export function ConnectionBar() {
  const lost = useLost()
  useEffect(watchNetwork, [])
  useEffect(
    () =>
      whenBack((hasMissed) => {
        if (hasMissed) notify('The connection is back. Do your last step again: it may not have arrived.')
      }),
    [],
  )
  return (
    <div role="status" class={lost && 'connection'}>
      {lost && (
        <>
          <Icon name="failed" />
          <span>
            <strong>No connection.</strong> Your text is safe here. <NextTry at={lost.retryAt} />
          </span>
          <Button isSmall onClick={() => void tryNow()}>
            Try now
          </Button>
        </>
      )}
    </div>
  )
}

const TICK_MS = 250

/** Counts down. Screen readers hear the bar once, and not each second. */
function NextTry({ at }: { at: number | undefined }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const ticks = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(ticks)
  }, [])
  const seconds = at === undefined ? 0 : Math.ceil((at - now) / 1000)
  return <span aria-hidden="true">{seconds > 0 ? `Trying again in ${seconds} s` : 'Trying again…'}</span>
}
