// The dialog about a member's sign-in: a link for somebody who lost every way in, and the end of all sessions.

import { useState } from 'preact/hooks'
import { api, dataOf, type Me, type Member, type MemberLink } from '../../api/client.js'
import { asError } from '../../api/use-loaded.js'
import { useOneAtATime } from '../../browser/use-one-at-a-time.js'
import { formatTime } from '../../format.js'
import { Dialog } from '../../parts/overlays/dialog.js'
import { notify } from '../../parts/overlays/notices.js'
import { Refusal } from '../../parts/states/refusal.js'
import { Command } from '../../parts/states/command.js'
import { SureButton } from '../../parts/controls/sure-button.js'
import { isOwner } from './role-choice.js'
import { Button } from '../../parts/controls/button.js'

interface MemberSignInProps {
  me: Me
  member: Member
  onClose: () => void
}

export function MemberSignIn({ me, member: { id, name }, onClose }: MemberSignInProps) {
  const [refusal, setRefusal] = useState<string>()
  const attempt = async (run: () => Promise<void>) => {
    setRefusal(undefined)
    try {
      await run()
    } catch (error) {
      setRefusal(asError(error).message)
    }
  }
  const endSessions = async () => {
    dataOf(await api.DELETE('/members/{id}/sessions', { params: { path: { id } } }))
    notify(`All sessions of ${name} in this workspace have ended.`)
    onClose()
  }
  return (
    <Dialog title={`The sign-in of ${name}`} onClose={onClose} wide>
      {isOwner(me) && <LinkMaker id={id} name={name} attempt={attempt} />}
      <section class="panel">
        <h3>Sessions</h3>
        <p>
          Signs {name} out of this workspace, until a new sign-in. Keys and agents go on: remove the member to end them.
        </p>
        <SureButton
          label="End all sessions"
          sureLabel="End all sessions now"
          onSure={() => void attempt(endSessions)}
        />
      </section>
      <Refusal of={refusal} />
    </Dialog>
  )
}

interface LinkMakerProps {
  id: string
  name: string
  /** Runs a request, and shows why it was refused. */
  attempt: (run: () => Promise<void>) => Promise<void>
}

function LinkMaker({ id, name, attempt }: LinkMakerProps) {
  const [made, setMade] = useState<MemberLink>()
  const make = useOneAtATime(async () => {
    await attempt(async () => {
      setMade(dataOf(await api.POST('/members/{id}/sign-in-link', { params: { path: { id } } })))
    })
  })
  return (
    <section class="panel">
      <h3>Sign-in link</h3>
      <p>
        For somebody who lost every way in. The link signs {name} in once, within 24 hours, to this workspace alone, and
        ends with your role. It adds no passkey: for that, the operator makes a link. The other ways stay.
      </p>
      {made === undefined ? (
        <Button onClick={() => void make()}>Make a sign-in link</Button>
      ) : (
        <>
          <Command text={made.url} label="The link" />
          <p class="hint">
            Send it to {name} alone. It is shown only now, and ends at {formatTime(made.expiresAt)}.
          </p>
        </>
      )}
    </section>
  )
}
