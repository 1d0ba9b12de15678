// Deletes a site. The person must type its slug first, because nothing in the dashboard can undo it.

import { useState } from 'preact/hooks'
import { api, dataOf, type Site } from '../../api/client.js'
import { asError } from '../../api/use-loaded.js'
import { navigate } from '../../browser/router.js'
import { formatUrl, nameOfSite } from '../../format.js'
import { Dialog } from '../../parts/overlays/dialog.js'
import { Field } from '../../parts/controls/field.js'
import { Form } from '../../parts/controls/form.js'
import { notify } from '../../parts/overlays/notices.js'
import { Button } from '../../parts/controls/button.js'
import type { PartProps } from './settings.js'

export function DangerPart({ site }: PartProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <section class="panel">
      <h3>Delete this site</h3>
      {site.isDefault ? (
        <p>The default site cannot be deleted. Make another site the default first, in its settings.</p>
      ) : (
        <>
          <p>
            Visitors find nothing at {formatUrl(site.url)} from that moment on, and no new site can have this address.
            Only the operator of the service can bring it back.
          </p>
          <Button kind="danger" icon="delete" onClick={() => setAsking(true)}>
            Delete the site…
          </Button>
        </>
      )}
      {isAsking && <ConfirmDeletion site={site} onClose={() => setAsking(false)} />}
    </section>
  )
}

function ConfirmDeletion({ site, onClose }: { site: Site; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const isConfirmed = typed === site.slug
  const remove = async () => {
    if (!isConfirmed) return
    try {
      dataOf(await api.DELETE('/sites/{id}', { params: { path: { id: site.id } } }))
      notify(`The site ${nameOfSite(site)} is deleted.`)
      navigate('/', { replace: true })
    } catch (error) {
      setRefusal(asError(error).message)
    }
  }
  return (
    <Dialog title={`Delete ${nameOfSite(site)}`} onClose={onClose}>
      <Form onSubmit={remove}>
        <p>All pages, files and records of {formatUrl(site.url)} go offline at once. This cannot be undone here.</p>
        <Field label={`Type ${site.slug} to confirm`} problem={refusal} value={typed} onValue={setTyped} autofocus />
        <Button type="submit" kind="danger" disabled={!isConfirmed}>
          Delete the site
        </Button>
      </Form>
    </Dialog>
  )
}
