// The dialog that creates a site, or starts to import one from a remote repository. A name is typed; the address is made from it.

import { useState } from 'preact/hooks'
import { api, dataOf, Refusal, type Site } from '../../api/client.js'
import { asError } from '../../api/use-loaded.js'
import { navigate } from '../../browser/router.js'
import { formatUrl, nameOfSite } from '../../format.js'
import { Button } from '../../parts/controls/button.js'
import { Field } from '../../parts/controls/field.js'
import { Form } from '../../parts/controls/form.js'
import { Dialog } from '../../parts/overlays/dialog.js'
import { notify } from '../../parts/overlays/notices.js'
import { Disclosure } from '../../parts/states/disclosure.js'
import { importOf, ImportSource, NO_SOURCE } from './import-source.js'
import { nextSlug, problemOfSlug, slugOfName } from './slug-of-name.js'

interface NewSiteProps {
  onClose: () => void
  onImport: () => void
  /** Goes on with the new site. Default: shows it. */
  onMade?: ((site: Site) => void) | undefined
}

export function NewSite({ onClose, onImport, onMade = showSite }: NewSiteProps) {
  const [name, setName] = useState('')
  /** Undefined until the person changes it. */
  const [typed, setTyped] = useState<string>()
  const [refusal, setRefusal] = useState<Refused>()
  const [source, setSource] = useState(NO_SOURCE)
  const slug = typed ?? slugOfName(name)
  const malformed = slug === '' ? undefined : problemOfSlug(slug)
  const problem = malformed ?? messageAbout('slug', refusal)
  const better = malformed === undefined ? refusal?.suggestion : slugOfName(slug)
  const create = async () => {
    if (slug === '' || problem !== undefined) return
    try {
      const named = name.trim() === '' ? {} : { name: name.trim() }
      const site = dataOf(await api.POST('/sites', { body: { slug, ...named, ...importOf(source) } }))
      if (site.state === 'importing') return onImport()
      notify(`${nameOfSite(site)} is live at ${formatUrl(site.url)}.`)
      onMade(site)
    } catch (error) {
      setRefusal(refusalOf(error, slug))
    }
  }
  const change = <T,>(set: (value: T) => void) => {
    return (value: T) => {
      set(value)
      setRefusal(undefined)
    }
  }
  return (
    <Dialog title="New site" onClose={onClose}>
      <Form onSubmit={create}>
        <Field
          label="Name"
          hint="You and your people see it in lists. You can change it."
          problem={messageAbout('name', refusal)}
          placeholder="Chess Club"
          value={name}
          onValue={change(setName)}
          autofocus
        />
        <Field
          label="Address"
          hint="The first part of the address of the site. It can never be changed or used again."
          problem={problem}
          placeholder="chess-club"
          value={slug}
          onValue={change(setTyped)}
          required
        />
        {better !== undefined && better !== '' && (
          <Button isSmall onClick={() => change(setTyped)(better)}>
            Use {better}
          </Button>
        )}
        <Disclosure title="Import it from a git repository">
          <ImportSource source={source} problem={messageAbout('url', refusal)} onSource={change(setSource)} />
        </Disclosure>
        {refusal !== undefined && refusal.of === undefined && (
          <p class="hint wrong" role="alert">
            {refusal.message}
          </p>
        )}
        <div class="bar">
          <Button type="submit" kind="main" disabled={slug === '' || problem !== undefined}>
            {source.url === '' ? 'Create the site' : 'Import the site'}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

function showSite({ slug }: Site): void {
  navigate(`/sites/${slug}`)
}

interface Refused {
  message: string
  /** The field that it is about. */
  of: 'name' | 'slug' | 'url' | undefined
  /** An address that would do. */
  suggestion: string | undefined
}

/** The fields that refusals are about. */
const PLACES: Readonly<Record<string, Refused['of']>> = {
  invalid_remote: 'url',
  invalid_slug: 'slug',
  reserved_slug: 'slug',
  slug_taken: 'slug',
}

function refusalOf(error: unknown, slug: string): Refused {
  const { message } = asError(error)
  if (!(error instanceof Refusal)) return { message, of: undefined, suggestion: undefined }
  const { suggestion } = (error.details ?? {}) as { suggestion?: unknown }
  const free = error.code === 'slug_taken' ? nextSlug(slug) : undefined
  return { message, of: PLACES[error.code], suggestion: typeof suggestion === 'string' ? suggestion : free }
}

function messageAbout(field: Refused['of'], refusal: Refused | undefined): string | undefined {
  return refusal?.of === field ? refusal?.message : undefined
}
