// The sessions of the person by device: end one, or all others.

import { api, dataOf, type Session, sliceOf } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { formatTime } from '../../format.js'
import { Age } from '../../parts/states/age.js'
import { Table } from '../../parts/lists/table.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { Await } from '../../parts/states/await.js'
import { SureButton } from '../../parts/controls/sure-button.js'
import { Badge } from '../../parts/states/badge.js'

const MEANS = { link: 'a link', passkey: 'a passkey', provider: 'a provider' }

export function MySessions() {
  const sessions = useLoaded<readonly Session[]>(
    'sessions',
    async (signal) => sliceOf(await api.GET('/me/sessions', { signal })).entries,
  )
  const end = async (ending: Promise<unknown>, done: string) => {
    try {
      await ending
      notify(done)
      sessions.reload()
    } catch (error) {
      notifyFailure(error)
    }
  }
  const endOne = async (id: string) => dataOf(await api.DELETE('/me/sessions/{id}', { params: { path: { id } } }))
  const endOthers = async () => dataOf(await api.DELETE('/me/sessions', { params: { query: { others: true } } }))
  return (
    <section class="panel">
      <div class="bar">
        <h2 class="grow">Sessions</h2>
        <SureButton
          label="End all others"
          sureLabel="End all others now"
          onSure={() => void end(endOthers(), 'All other sessions have ended.')}
        />
      </div>
      <p class="hint">Where you are signed in. End what you do not know, and then look at your passkeys and keys.</p>
      <Await of={sessions}>
        {(entries) => (
          <SessionTable
            sessions={entries}
            onEnd={({ id, device }) =>
              void end(endOne(id), `The session in ${device ?? 'an unknown browser'} has ended.`)
            }
          />
        )}
      </Await>
    </section>
  )
}

function meansOf(means: Session['means'], isBorrowed: boolean): string {
  if (means === null) return 'unknown'
  return isBorrowed ? `by ${MEANS[means]} of an owner, for one workspace` : `by ${MEANS[means]}`
}

function SessionTable({ sessions, onEnd }: { sessions: readonly Session[]; onEnd: (session: Session) => void }) {
  const rows = sessions.map((session) => {
    const { id, device, means, isThis, isBorrowed, createdAt, seenAt } = session
    return {
      key: id,
      cells: [
        <div class="long-text">
          {device ?? 'Unknown browser'} {isThis && <Badge>This one</Badge>}
        </div>,
        <div class="long-text">
          {formatTime(createdAt)}, {meansOf(means, isBorrowed)}
        </div>,
        seenAt === null ? 'never' : <Age of={seenAt} />,
      ],
      actions: !isThis && (
        <SureButton label="End" sureLabel="End now" of={device ?? ''} onSure={() => onEnd(session)} />
      ),
    }
  })
  return <Table label="Sessions" columns={['Device', 'Began', 'Last used']} headingAt={0} rows={rows} />
}
