// The dialog that makes a key for clones of one site, and shows it once, with the commands that clone the site.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { api, dataOf, type NewKey, type Site } from '../../../api/client.js'
import { asError } from '../../../api/use-loaded.js'
import { nameOfSite } from '../../../format.js'
import { RadioList } from '../../../parts/controls/radio-list.js'
import { Dialog } from '../../../parts/overlays/dialog.js'
import { Field } from '../../../parts/controls/field.js'
import { Form } from '../../../parts/controls/form.js'
import { dayIn, endOfDay, LastDay } from '../../../parts/controls/last-day.js'
import { Command } from '../../../parts/states/command.js'
import { Button } from '../../../parts/controls/button.js'

const SCOPES = ['read', 'write'] as const
type Scope = (typeof SCOPES)[number]
/** The use of each API scope for git. */
const USES: Readonly<Record<Scope, string>> = { read: 'clone and fetch', write: 'push too' }
/** Default lifetime of a key. */
const VALID_DAYS = 90

interface CloneKeyProps {
  site: Site
  onClose: () => void
}

export function CloneKey({ site, onClose }: CloneKeyProps) {
  const [made, setMade] = useState<NewKey>()
  return (
    <Dialog
      title={made ? `The key “${made.label}”` : `A key for clones of ${nameOfSite(site)}`}
      onClose={onClose}
      wide={!!made}
    >
      {made ? <CloneCommands site={site} made={made} /> : <MakeKey site={site} onMade={setMade} />}
    </Dialog>
  )
}

function MakeKey({ site, onMade }: { site: Site; onMade: (made: NewKey) => void }) {
  const [label, setLabel] = useState(`Clone of ${nameOfSite(site)}`)
  const [scope, setScope] = useState<Scope>('read')
  const [lastDay, setLastDay] = useState(dayIn(VALID_DAYS))
  const [refusal, setRefusal] = useState<string>()
  const make = async () => {
    setRefusal(undefined)
    try {
      const body = { label, scopes: [scope], sites: [site.id], expiresAt: endOfDay(lastDay) }
      onMade(dataOf(await api.POST('/keys', { body })))
    } catch (error) {
      setRefusal(asError(error).message)
    }
  }
  return (
    <Form onSubmit={make} class="stack">
      <p class="hint">It opens this site and no other, with all that was ever committed here.</p>
      <RadioList
        label="With it git can"
        value={scope}
        from={SCOPES}
        onChoose={setScope}
        labelOf={(each) => USES[each]}
      />
      <Field
        label="Label"
        hint="For the list of keys. The history names it with what is pushed."
        value={label}
        onValue={setLabel}
        required
      />
      <LastDay value={lastDay} onValue={setLastDay} />
      {refusal !== undefined && (
        <p class="hint wrong" role="alert">
          {refusal}
        </p>
      )}
      <div class="bar">
        <Button type="submit" kind="main" disabled={label === ''}>
          Make the key
        </Button>
      </div>
    </Form>
  )
}

function CloneCommands({ site, made }: { site: Site; made: NewKey }) {
  const url = new URL(site.cloneUrl)
  // Any user name works. Credential helpers keep one password for each host and user name, and this key opens one site.
  url.username = made.prefix.replace('…', '')
  const shown = useRef<HTMLDivElement>(null)
  // The focused button disappears with the form. Moves the focus before anything is painted, so that no key press is lost.
  useLayoutEffect(() => shown.current?.querySelector('pre')?.focus(), [])
  return (
    <div ref={shown}>
      <p>This key is shown only now. Store it where you keep your secrets.</p>
      <Command text={made.key} label="The key" />
      <p>Neither command contains the key: where git asks for a password, paste it. This one asks each time:</p>
      <Command text={`git clone ${url.href}`} label="Clone command" />
      <p>
        With this one git asks once, and keeps the key as plain text in <code>~/.git-credentials</code>:
      </p>
      <Command text={`git clone -c credential.helper=store ${url.href}`} label="Command that keeps it" />
      <p class="hint">
        The user name in the URL is the beginning of the key, so that git tells it from the keys of other sites. Where
        git already uses a keychain of your system, the first command keeps the key there.
      </p>
    </div>
  )
}
