// The site as a git repository: the command that clones it, and who may.

import type { Site } from '../../api/client.js'
import { Command } from '../../parts/state.js'

interface RepositoryProps {
  site: Site
  onToggle: (publicRepository: boolean) => void
}

export function Repository({ site, onToggle }: RepositoryProps) {
  return (
    <section class="panel">
      <h3>Git repository</h3>
      <Command text={`git clone ${site.cloneUrl}`} label="Clone command" />
      <p class="hint">
        {site.publicRepository
          ? 'git asks for no password.'
          : 'git asks for a user name, which may be anything, and for a password: that is an API key.'}{' '}
        <a href="/keys">Make a key</a> with the scope read to clone.
      </p>
      <label>
        <input
          type="checkbox"
          checked={site.publicRepository}
          onChange={(event) => onToggle(event.currentTarget.checked)}
        />{' '}
        Everybody can clone the repository
      </label>
      <p class="hint">
        Everything that was ever committed is then public: every version, withdrawn ones too, unpublished pages, records
        and templates. What somebody has cloned cannot be taken back.
      </p>
    </section>
  )
}
