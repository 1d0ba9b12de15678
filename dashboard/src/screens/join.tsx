// Takes an invitation, whose token is after the # in the address. It first says what the person joins.

import { useEffect, useState } from 'preact/hooks'
import type { InvitationView, Me } from '../api/client.js'
import { acceptInvitation, peekInvitation } from '../api/join.js'
import { readSession } from '../api/session.js'
import { asError } from '../api/use-loaded.js'
import { navigate } from '../browser/router.js'
import { useTitle } from '../browser/title.js'
import { formatTime, formatUrl } from '../format.js'
import { Facts } from '../parts/lists/facts.js'
import { Field } from '../parts/controls/field.js'
import { Form } from '../parts/controls/form.js'
import { YOU_MAY } from '../parts/rights/roles.js'
import { Avatar } from '../parts/states/avatar.js'
import { EmptyState } from '../parts/states/empty-state.js'
import { ErrorNotice } from '../parts/states/error-notice.js'
import { askForProviders, ProviderButtons } from './sign-in/provider-buttons.js'
import { SitePicture } from './sites/site-picture.js'
import { Product } from './sign-in/signed-out.js'
import { Button } from '../parts/controls/button.js'

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
    askForProviders()
    try {
      const [view, me] = await Promise.all([peekInvitation(token), readSession()])
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
      {state.is !== 'open' && <h1>Join a workspace</h1>}
      {state.is === 'looking' && <p role="status">Looking at the invitation…</p>}
      {state.is === 'without a token' && (
        <EmptyState title="Open your invitation">
          <p>Open the whole link that you were sent, or paste it into the address bar of this tab.</p>
        </EmptyState>
      )}
      {state.is === 'refused' && <ErrorNotice error={state.error} />}
      {state.is === 'open' && <Invitation {...state} onJoined={onJoined} />}
    </main>
  )
}

function Invitation({ token, view, me, onJoined }: Open & { onJoined: () => void }) {
  const { workspace, role, site, sites, invitedBy, email, expiresAt } = view
  return (
    <section class="stack welcome">
      <Avatar name={invitedBy} isLarge />
      <h1>
        {invitedBy} invites you to {workspace}
      </h1>
      <p>
        Palimpsest publishes the web pages of {workspace}, and keeps who changed what. You join only if you agree here.
      </p>
      {site !== null && (
        <figure class="panel site-card">
          <SitePicture url={site.url} />
          <figcaption class="site-words">
            <b dir="auto">{site.name}</b>
            <p class="hint">{formatUrl(site.url)}</p>
          </figcaption>
        </figure>
      )}
      <p class="you-may">{YOU_MAY[role]}</p>
      <Facts
        facts={[
          ['Your role', role],
          ...(site === null ? [['Sites', sites?.join(', ') ?? `all of ${workspace}`] as [string, string]] : []),
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
        <Button type="submit" kind="main" disabled={person === undefined && name.trim() === ''}>
          Join
        </Button>
      </div>
    </Form>
  )
}
