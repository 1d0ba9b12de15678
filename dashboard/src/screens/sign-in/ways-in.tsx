// A way in for each kind of person: with a passkey, at a provider, with a link, and for whoever runs the service.

import { useState } from 'preact/hooks'
import { hasPasskeys, signInWithPasskey } from '../../api/passkeys.js'
import { asError } from '../../api/use-loaded.js'
import { useOneAtATime } from '../../browser/use-one-at-a-time.js'
import { Field } from '../../parts/controls/field.js'
import { Form } from '../../parts/controls/form.js'
import { ProviderButtons } from './provider-buttons.js'
import { Command } from '../../parts/states/command.js'
import { Button } from '../../parts/controls/button.js'

interface WaysInProps {
  onSignedIn: () => void
  /** Shows the command for the operator at once. */
  isCommandShown?: boolean
  /** The path to which the person returns. */
  to?: string
}

export function WaysIn({ onSignedIn, isCommandShown = false, to = '/' }: WaysInProps) {
  return (
    <div class="ways-in">
      <PasskeyButton onSignedIn={onSignedIn} />
      <ProviderButtons to={to} />
      <details>
        <summary>I have a link</summary>
        <PasteLink />
      </details>
      <details open={isCommandShown}>
        <summary>I run this service</summary>
        <p>Make a sign-in link on the machine that runs the service, and open it within 15 minutes:</p>
        <LoginCommand />
      </details>
      <p class="hint">No way works for you? Ask an owner of your workspace for a link.</p>
    </div>
  )
}

function PasskeyButton({ onSignedIn }: { onSignedIn: () => void }) {
  const [problem, setProblem] = useState<string>()
  const signIn = useOneAtATime(async () => {
    setProblem(undefined)
    try {
      await signInWithPasskey()
      onSignedIn()
    } catch (error) {
      setProblem(asError(error).message)
    }
  })
  if (!hasPasskeys())
    return (
      <p class="hint">This browser uses passkeys only over https. Sign in another way, or ask for an https address.</p>
    )
  return (
    <>
      <Button kind="main" onClick={() => void signIn()}>
        Sign in with a passkey
      </Button>
      {problem !== undefined && (
        <p class="hint wrong" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}

/** Takes the link in the form of a text, for people who got it in another window. */
function PasteLink() {
  const [link, setLink] = useState('')
  const [problem, setProblem] = useState<string>()
  const open = async () => {
    const token = /#([\w-]+)\s*$/.exec(link)?.[1]
    if (token === undefined) setProblem('This is no sign-in link: it has a # near its end.')
    // The screen uses each token that appears in the address.
    else location.assign(`/sign-in#${token}`)
    await Promise.resolve()
  }
  return (
    <Form onSubmit={open}>
      <Field
        label="Your link"
        hint="Open the link in this browser, or paste it here. It works once."
        problem={problem}
        value={link}
        onValue={setLink}
        required
      />
      <Button type="submit">Sign in with the link</Button>
    </Form>
  )
}

/** Shows the command that makes a sign-in link. */
function LoginCommand() {
  return (
    <>
      <Command text="palimpsest login-link" />
      <p class="hint">
        In a checkout of the service: <code>npm run --silent palimpsest -- login-link</code>
      </p>
    </>
  )
}
