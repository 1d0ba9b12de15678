// The dialog that creates a site, or starts to import one from a remote repository.

import { useState } from 'preact/hooks'
import { api, dataOf, Refusal } from '../../api/client.js'
import { asError } from '../../api/use-loaded.js'
import { navigate } from '../../browser/router.js'
import { Dialog } from '../../parts/dialog.js'
import { Field } from '../../parts/field.js'
import { Form } from '../../parts/form.js'
import { notify } from '../../parts/notices.js'

export function NewSite({ onClose, onImport }: { onClose: () => void; onImport: () => void }) {
  const [slug, setSlug] = useState('')
  const [refusal, setRefusal] = useState<Refused>()
  const [source, setSource] = useState(NO_SOURCE)
  const ofUrl = refusal?.of === 'url' ? refusal.message : undefined
  const problem = slug === '' ? undefined : (problemOf(slug) ?? (refusal?.of === 'slug' ? refusal.message : undefined))
  const create = async () => {
    if (slug === '' || problem !== undefined) return
    try {
      const site = dataOf(await api.POST('/sites', { body: { slug, ...importOf(source) } }))
      if (site.state === 'importing') return onImport()
      notify(`${site.url} is live.`)
      navigate(`/sites/${site.slug}`)
    } catch (error) {
      const { message } = asError(error)
      setRefusal({ message, of: error instanceof Refusal ? PLACES[error.code] : undefined })
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
        <details>
          <summary>Import it from a git repository</summary>
          <SourceFields
            source={source}
            problem={ofUrl}
            onSource={(changed) => {
              setSource(changed)
              setRefusal(undefined)
            }}
          />
        </details>
        {refusal !== undefined && refusal.of === undefined && (
          <p class="hint wrong" role="alert">
            {refusal.message}
          </p>
        )}
        <button type="submit" class="main" disabled={slug === '' || problem !== undefined}>
          {source.url === '' ? 'Create the site' : 'Import the site'}
        </button>
      </Form>
    </Dialog>
  )
}

interface Refused {
  message: string
  /** The field that it is about. */
  of: 'slug' | 'url' | undefined
}

/** The fields that refusals are about. */
const PLACES: Readonly<Record<string, Refused['of']>> = {
  invalid_remote: 'url',
  invalid_slug: 'slug',
  reserved_slug: 'slug',
  slug_taken: 'slug',
}

/** The fields as the person typed them. */
interface Source {
  url: string
  username: string
  password: string
}

const NO_SOURCE: Source = { url: '', username: '', password: '' }

interface SourceFieldsProps {
  source: Source
  problem: string | undefined
  onSource: (source: Source) => void
}

function SourceFields({ source, problem, onSource }: SourceFieldsProps) {
  return (
    <>
      <Field
        label="URL"
        hint="The https URL of a repository. Its branch main or master is imported with its whole history."
        problem={problem}
        placeholder="https://git.example/site.git"
        value={source.url}
        onValue={(url) => onSource({ ...source, url: url.trim() })}
      />
      <Field
        label="User name"
        hint="For a private repository."
        value={source.username}
        onValue={(username) => onSource({ ...source, username })}
      />
      <Field
        label="Password or access token"
        hint="It is sent to that host alone, and not kept."
        type="password"
        value={source.password}
        onValue={(password) => onSource({ ...source, password })}
      />
    </>
  )
}

function importOf({ url, username, password }: Source) {
  if (url === '') return {}
  // Hosts that accept access tokens accept any user name with them.
  return { importUrl: url, ...(password !== '' && { importCredentials: { username: username || 'git', password } }) }
}

/** Returns the problem with a slug while it is typed. The service makes the final decision. */
function problemOf(slug: string): string | undefined {
  if (/[^a-z0-9-]/.test(slug)) return 'Use lower-case letters, digits and hyphens only.'
  if (/^-|-$|--/.test(slug)) return 'A hyphen can stand neither at an end nor beside another hyphen.'
  return slug.length > 40 ? 'Use at most 40 characters.' : undefined
}
