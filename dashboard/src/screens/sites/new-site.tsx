// The dialog that creates a site.

import { useState } from 'preact/hooks'
import { api, dataOf } from '../../api/client.js'
import { asError } from '../../api/use-loaded.js'
import { navigate } from '../../browser/router.js'
import { Dialog } from '../../parts/dialog.js'
import { Field } from '../../parts/field.js'
import { Form } from '../../parts/form.js'
import { notify } from '../../parts/notices.js'

export function NewSite({ onClose }: { onClose: () => void }) {
  const [slug, setSlug] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const problem = slug === '' ? undefined : (problemOf(slug) ?? refusal)
  const create = async () => {
    if (slug === '' || problem !== undefined) return
    try {
      const site = dataOf(await api.POST('/sites', { body: { slug } }))
      notify(`${site.url} is live.`)
      navigate(`/sites/${site.slug}`)
    } catch (error) {
      setRefusal(asError(error).message)
    }
  }
  return (
    <Dialog title="New site" onClose={onClose}>
      <Form onSubmit={create}>
        <Field
          label="Slug"
          hint="The name in the address of the site. It can never be changed or used again."
          problem={problem}
          value={slug}
          onValue={(value) => {
            setSlug(value)
            setRefusal(undefined)
          }}
          autofocus
          required
        />
        <button type="submit" class="main" disabled={slug === '' || problem !== undefined}>
          Create the site
        </button>
      </Form>
    </Dialog>
  )
}

/** What is wrong with a slug while it is typed; the service decides in the end. */
function problemOf(slug: string): string | undefined {
  if (/[^a-z0-9-]/.test(slug)) return 'Use lower-case letters, digits and hyphens only.'
  if (/^-|-$|--/.test(slug)) return 'A hyphen can stand neither at an end nor beside another hyphen.'
  return slug.length > 40 ? 'Use at most 40 characters.' : undefined
}
