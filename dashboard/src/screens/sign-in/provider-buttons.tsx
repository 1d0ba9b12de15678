// One button for each identity provider at which people sign in, and the reason why the last sign-in there failed.

import { askAhead, takeAhead } from '../../api/ahead.js'
import type { SignInProblem } from '../../api/client.js'
import { readProviders } from '../../api/session.js'
import { useLoaded } from '../../api/use-loaded.js'
import { LinkButton } from '../../parts/controls/button.js'

const PROVIDERS = 'providers'

/** Asks for the buttons of an invitation while it is looked at. */
export function askForProviders(): void {
  askAhead(PROVIDERS, () => readProviders(null))
}

/** `to` is the path to which the person returns, and `invitation` the token of the link that the person opened. */
export function ProviderButtons({ to = '/', invitation }: { to?: string; invitation?: string }) {
  const loaded = useLoaded(PROVIDERS, (signal) => takeAhead(PROVIDERS, () => readProviders(signal)))
  if (loaded.data === undefined) return null
  const { providers, problem } = loaded.data
  const query = new URLSearchParams({ to, ...(invitation !== undefined && { invitation }) })
  return (
    <>
      {/* Somebody who opens an invitation tries anew. */}
      {problem !== undefined && invitation === undefined && <Problem problem={problem} />}
      {providers.length > 0 && (
        <div class="bar">
          {providers.map(({ id, name }) => (
            // The router of the dashboard must not take this link: the way leads through the service.
            <LinkButton
              key={id}
              kind="main"
              class="named"
              href={`/session/provider/${id}?${query}`}
              onClick={(event) => event.stopPropagation()}
            >
              Sign in with {name}
            </LinkButton>
          ))}
        </div>
      )}
    </>
  )
}

function Problem({ problem: { code, message, name, email, isSignedIn } }: { problem: SignInProblem }) {
  return (
    <section class="panel" role="alert">
      <h2>{code === 'not_a_member' ? 'You are not a member yet' : 'That did not work'}</h2>
      <p>{message}</p>
      {name !== undefined && (
        <p>
          The provider knows you as <b>{name}</b>
          {email !== undefined && ` (${email})`}. Tell the owner this name{email !== undefined && ' and address'}.
        </p>
      )}
      {isSignedIn === true && <LinkButton href="/">Back to the dashboard</LinkButton>}
    </section>
  )
}
