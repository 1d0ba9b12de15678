// Deletes a site. The person must type its slug first, because nothing in the dashboard can undo it.

import { useState } from 'preact/hooks'
import { api, dataOf, type Site } from '../../api/client.js'
import { asError } from '../../api/use-loaded.js'
import { navigate } from '../../browser/router.js'
import { formatUrl } from '../../format.js'
import { Dialog } from '../../parts/dialog.js'
import { Field } from '../../parts/field.js'
import { Form } from '../../parts/form.js'
import { notify } from '../../parts/notices.js'

export function DeleteSite({ site }: { site: Site }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <section class="panel">
      <h3>Delete this site</h3>
      {site.isDefault ? (
        <p>The default site cannot be deleted. Make another site the default first.</p>
      ) : (
        <>
          <p>Visitors get 404 at once, and the slug can never be used again. The operator keeps the repository.</p>
          <button type="button" onClick={() => setAsking(true)}>
            Delete the site…
          </button>
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
      notify(`The site ${site.slug} is deleted.`)
      navigate('/', { replace: true })
    } catch (error) {
      setRefusal(asError(error).message)
    }
  }
  return (
    <Dialog title={`Delete ${site.slug}`} onClose={onClose}>
      <Form onSubmit={remove}>
        <p>All pages, files and records of {formatUrl(site.url)} go offline at once. This cannot be undone here.</p>
        <Field
          label={`Type the slug ${site.slug} to confirm`}
          problem={refusal}
          value={typed}
          onValue={setTyped}
          autofocus
        />
        <button type="submit" class="danger" disabled={!isConfirmed}>
          Delete the site
        </button>
      </Form>
    </Dialog>
  )
}
