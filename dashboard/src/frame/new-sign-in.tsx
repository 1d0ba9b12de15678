// Tells a person of a new sign-in on a device that was not seen before, in the sessions that existed then.

import { useState } from 'preact/hooks'
import { api, dataOf, reportSignedOut, type Session, sliceOf } from '../api/client.js'
import { useLoaded } from '../api/use-loaded.js'
import { keep, readKeptJson } from '../browser/storage.js'
import { formatTime } from '../format.js'
import { notifyFailure } from '../parts/overlays/notices.js'
import { SureButton } from '../parts/controls/sure-button.js'
import { Button } from '../parts/controls/button.js'

/** The ids of the sessions that the person knows; the oldest are forgotten. */
const KNOWN = 'known-sign-ins'
const MAX_KNOWN = 100

export function NewSignIn() {
  const { data: sessions = [] } = useLoaded<readonly Session[]>('new sign-ins', readSessions)
  const [known, setKnown] = useState(() => (readKeptJson(KNOWN) as readonly string[] | undefined) ?? [])
  const found = newSignIn(sessions, known)
  if (found === undefined) return null
  const confirm = () => {
    const ids = [...known, found.id].slice(-MAX_KNOWN)
    keep(KNOWN, JSON.stringify(ids))
    setKnown(ids)
  }
  const endAll = async () => {
    try {
      dataOf(await api.DELETE('/me/sessions', { params: { query: {} } }))
      reportSignedOut()
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <section class="panel bar new-sign-in" role="status">
      <p class="grow">
        New sign-in: {found.device ?? 'an unknown browser'}, {formatTime(found.createdAt)}. Was it you?
      </p>
      <Button onClick={confirm}>Yes, it was me</Button>
      <SureButton label="End all sessions" sureLabel="End all, also this one" onSure={() => void endAll()} />
    </section>
  )
}

/** Returns the oldest unconfirmed session that began on a new device after this one. */
function newSignIn(sessions: readonly Session[], known: readonly string[]): Session | undefined {
  const own = sessions.findIndex(({ isThis }) => isThis)
  return sessions.slice(0, Math.max(own, 0)).findLast(({ id, isNewDevice }) => isNewDevice && !known.includes(id))
}

async function readSessions(signal: AbortSignal): Promise<readonly Session[]> {
  return sliceOf(await api.GET('/me/sessions', { signal })).entries
}
