// Takes an invitation, whose token is after the # in the address. It first says what the person joins.

import { useEffect, useState } from 'preact/hooks'
import type { Me } from '../api/client.js'
import { acceptInvitation, type InvitationView, peekInvitation } from '../api/join.js'
import { readSession } from '../api/session.js'
import { asError } from '../api/use-loaded.js'
import { navigate } from '../browser/router.js'
import { useTitle } from '../browser/title.js'
import { formatTime } from '../format.js'
import { Facts } from '../parts/facts.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { wordRole } from '../parts/roles.js'
import { Empty, Failure } from '../parts/state.js'
import { ProviderButtons } from './sign-in/provider-buttons.js'
import { Product } from './sign-in/signed-out.js'

interface Open {
  token: string
  view: InvitationView
  /** The person who is signed in here. */
  me: Me | undefined
}

type State = { is: 'looking' } | { is: 'without a token' } | ({ is: 'open' } & Open) | { is: 'refused'; error: Error }

export function JoinScreen({ onJoined }: { onJoined: () => void }) {
  const [state, setState] = useState<State>({ is: 'looking' })
  useTitle('Join')
  const look = async () => {
    const token = location.hash.slice(1)
    if (token === '') return setState({ is: 'without a token' })
    // Removes the token from the address, and so from the browser's history.
    history.replaceState(null, '', '/join')
    try {
      const [view, me] = [await peekInvitation(token), await readSession()]
      setState({ is: 'open', token, view, me })
    } catch (error) {
      setState({ is: 'refused', error: asError(error) })
    }
  }
  useEffect(() => {
    // A link pasted into the tab that shows this screen changes only the part after the #.
    const onHashChange = () => {
      if (location.hash !== '') void look()
    }
    void look()
    addEventListener('hashchange', onHashChange)
    return () => removeEventListener('hashchange', onHashChange)
  }, [])
  return (
    <main class="narrow">
      <Product />
      <h1>Join a workspace</h1>
      {state.is === 'looking' && <p role="status">Looking at the invitation…</p>}
      {state.is === 'without a token' && (
        <Empty title="Open your invitation">
          <p>Open the whole link that you were sent, or paste it into the address bar of this tab.</p>
        </Empty>
      )}
      {state.is === 'refused' && <Failure error={state.error} />}
      {state.is === 'open' && <Invitation {...state} onJoined={onJoined} />}
    </main>
  )
}

function Invitation({ token, view, me, onJoined }: Open & { onJoined: () => void }) {
  const { workspace, role, sites, invitedBy, email, expiresAt } = view
  return (
    <section class="panel stack">
      <h2>
        {invitedBy} invites you to {workspace}
      </h2>
      <p>
        Palimpsest publishes the web pages of {workspace}, and keeps who changed what. You join only if you agree here.
      </p>
      <Facts
        facts={[
          ['Your role', wordRole(role)],
          ['Sites', sites === null ? 'all' : sites.join(', ')],
          ['Open until', formatTime(expiresAt)],
        ]}
      />
      {email === null ? (
        <Acceptance token={token} me={me} onJoined={onJoined} />
      ) : (
        <p>This invitation is for {email} alone. Sign in with the account that has this address.</p>
      )}
      {(email !== null || me?.person == null) && <ProviderButtons invitation={token} />}
    </section>
  )
}

function Acceptance({ token, me, onJoined }: Pick<Open, 'token' | 'me'> & { onJoined: () => void }) {
  const [name, setName] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const person = me?.person?.name
  const join = async () => {
    try {
      await acceptInvitation(token, person === undefined ? name : undefined)
      onJoined()
      navigate('/', { replace: true })
    } catch (error) {
      setRefusal(asError(error).message)
    }
  }
  return (
    <Form onSubmit={join} class="stack">
      {person === undefined ? (
        <Field
          label="Your name"
          hint="Your changes show it. You can change it in your profile."
          problem={refusal}
          value={name}
          onValue={setName}
          autofocus
          required
        />
      ) : (
        <p class={refusal === undefined ? '' : 'wrong'} role={refusal === undefined ? undefined : 'alert'}>
          {refusal ?? `You are signed in as ${person}, and join with this account.`}
        </p>
      )}
      <div class="bar">
        <button type="submit" class="main" disabled={person === undefined && name.trim() === ''}>
          Join
        </button>
      </div>
    </Form>
  )
}
