// The dialog that sets the mirror of a site.

import { useState } from 'preact/hooks'
import { api, dataOf, type Mirror, type Site } from '../../../api/client.js'
import { asError } from '../../../api/use-loaded.js'
import { nameOfSite } from '../../../format.js'
import { Dialog } from '../../../parts/overlays/dialog.js'
import { Field } from '../../../parts/controls/field.js'
import { Form } from '../../../parts/controls/form.js'
import { Button } from '../../../parts/controls/button.js'

interface SetMirrorProps {
  site: Site
  /** The URL of the existing mirror; empty if there is none. */
  url: string
  onClose: () => void
  onSet: (mirror: Mirror) => void
}

export function SetMirror({ site, url: before, onClose, onSet }: SetMirrorProps) {
  const [url, setUrl] = useState(before)
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const set = async () => {
    // Hosts that accept access tokens accept any user name with them.
    const credentials = password === '' ? {} : { credentials: { username: username || 'git', password } }
    try {
      const params = { path: { id: site.id } }
      onSet(dataOf(await api.PUT('/sites/{id}/mirror', { params, body: { url, ...credentials } })))
    } catch (error) {
      setRefusal(asError(error).message)
    }
  }
  return (
    <Dialog title={`Mirror ${nameOfSite(site)}`} onClose={onClose}>
      <Form onSubmit={set}>
        <p class="hint">
          Readers of that repository see everything that was ever committed here: records, unpublished pages and
          withdrawn versions too.
        </p>
        <Field
          label="URL"
          hint="The https URL of an empty repository, or of a copy of this one."
          problem={refusal}
          placeholder="https://git.example/site.git"
          value={url}
          onValue={(value) => {
            setUrl(value.trim())
            setRefusal(undefined)
          }}
          autofocus
          required
        />
        <Field
          label="User name"
          hint="Leave it empty if the repository asks for none."
          value={username}
          onValue={setUsername}
        />
        <Field
          label="Password or access token"
          hint="It is sent to that host alone, and kept encrypted. Type it again at every change."
          type="password"
          value={password}
          onValue={setPassword}
        />
        <Button type="submit" kind="main" disabled={url === ''}>
          Set the mirror
        </Button>
      </Form>
    </Dialog>
  )
}
