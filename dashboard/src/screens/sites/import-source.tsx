// The fields of a new site that is imported: where its repository is, and what opens it.

import { Field } from '../../parts/controls/field.js'

/** The fields as the person typed them. */
export interface Source {
  url: string
  username: string
  password: string
}

export const NO_SOURCE: Source = { url: '', username: '', password: '' }

interface ImportSourceProps {
  source: Source
  problem: string | undefined
  onSource: (source: Source) => void
}

export function ImportSource({ source, problem, onSource }: ImportSourceProps) {
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

/** Returns the fields of the request. */
export function importOf({ url, username, password }: Source) {
  if (url === '') return {}
  // Hosts that accept access tokens accept any user name with them.
  return { importUrl: url, ...(password !== '' && { importCredentials: { username: username || 'git', password } }) }
}
