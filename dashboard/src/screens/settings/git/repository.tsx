// The site as a git repository: the command that clones it, a key for that, and the setting that allows everyone to clone.

import { useState } from 'preact/hooks'
import type { Site } from '../../../api/client.js'
import { Command } from '../../../parts/states/command.js'
import { CloneKey } from './clone-key.js'
import { SettingBox } from '../setting-box.js'
import { Button } from '../../../parts/controls/button.js'

interface RepositoryProps {
  site: Site
  onToggle: (publicRepository: boolean) => void
}

export function Repository({ site, onToggle }: RepositoryProps) {
  const [isKeyAsked, setKeyAsked] = useState(false)
  return (
    <section class="panel">
      <h3>Git repository</h3>
      <Command text={`git clone ${site.cloneUrl}`} label="Clone command" />
      <p class="hint">
        {site.publicRepository
          ? 'git asks for no password.'
          : 'git asks for a user name, which may be anything, and for a password: that is an API key.'}
      </p>
      <p>
        <Button onClick={() => setKeyAsked(true)}>Make a key for a clone…</Button>
      </p>
      <label>
        <SettingBox isOn={site.publicRepository} onToggle={onToggle} /> Everybody can clone the repository
      </label>
      <p class="hint">
        Everything that was ever committed is then public: every version, withdrawn ones too, unpublished pages, records
        and templates. What somebody has cloned cannot be taken back.
      </p>
      {isKeyAsked && <CloneKey site={site} onClose={() => setKeyAsked(false)} />}
    </section>
  )
}
