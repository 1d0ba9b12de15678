// The dialog that creates an API key.

import { useState } from 'preact/hooks'
import { api, dataOf, type Me, type NewKey } from '../../api/client.js'
import { asError } from '../../api/use-loaded.js'
import { RadioList } from '../../parts/controls/radio-list.js'
import { Segmented } from '../../parts/controls/segmented.js'
import { Dialog } from '../../parts/overlays/dialog.js'
import { Field } from '../../parts/controls/field.js'
import { Form } from '../../parts/controls/form.js'
import { Disclosure } from '../../parts/states/disclosure.js'
import { endOfDay, LastDay } from '../../parts/controls/last-day.js'
import { SiteChoice } from './site-choice.js'
import { Button } from '../../parts/controls/button.js'

const SCOPES = ['read', 'propose', 'write', 'admin'] as const
type Scope = (typeof SCOPES)[number]
const USES: Readonly<Record<Scope, { word: string; sentence: string }>> = {
  read: { word: 'Read', sentence: 'It reads what is there, and changes nothing.' },
  propose: { word: 'Propose', sentence: 'It writes changes that somebody else publishes.' },
  write: { word: 'Publish', sentence: 'What it writes is live at once, unless the site is protected.' },
  admin: { word: 'Manage', sentence: 'It publishes, and manages keys, people and sites.' },
}
/** A key of the person never may do more than the person. */
const OWNERS = ['workspace', 'me'] as const
type Owner = (typeof OWNERS)[number]
const TOOLSETS = ['all', 'pages'] as const

interface CreateKeyProps {
  me: Me
  onClose: () => void
  onCreated: (made: NewKey) => void
}

export function CreateKey({ me, onClose, onCreated }: CreateKeyProps) {
  const isAdmin = me.scopes.includes('admin')
  const [label, setLabel] = useState('')
  const [scope, setScope] = useState<Scope>(me.scopes.includes('write') ? 'write' : 'read')
  const [owner, setOwner] = useState<Owner>('workspace')
  const [siteIds, setSiteIds] = useState<string[]>([])
  const [paths, setPaths] = useState('')
  const [origins, setOrigins] = useState('')
  const [toolset, setToolset] = useState<(typeof TOOLSETS)[number]>('all')
  const [lastDay, setLastDay] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const create = async () => {
    const body = {
      label,
      scopes: [scope],
      ...(owner === 'me' && { personal: true }),
      sites: siteIds.length === 0 ? null : siteIds,
      paths: scope === 'read' ? null : pathsIn(paths),
      origins: origins.trim() === '' ? null : origins.trim().split(/[\s,]+/),
      toolset: toolset === 'all' ? null : toolset,
      expiresAt: endOfDay(lastDay),
    }
    try {
      onCreated(dataOf(await api.POST('/keys', { body })))
    } catch (error) {
      setRefusal(asError(error).message)
    }
  }
  return (
    <Dialog title="New API key" onClose={onClose}>
      <Form onSubmit={create} class="stack">
        <Field
          label="Label"
          hint="Changes made with the key show this name."
          problem={refusal}
          value={label}
          onValue={setLabel}
          autofocus
          required
        />
        <Segmented
          label="It may"
          value={scope}
          from={SCOPES.filter(
            (each) => me.scopes.includes(each) || (each === 'propose' && me.scopes.includes('write')),
          )}
          onChoose={setScope}
          labelOf={(each) => USES[each].word}
        />
        <p class="hint" role="status">
          {USES[scope].sentence}
        </p>
        {isAdmin && me.person !== null && (
          <RadioList
            label="Whose key"
            value={owner}
            from={OWNERS}
            onChoose={setOwner}
            labelOf={(each) => (each === 'me' ? 'mine: it ends with my membership' : 'the workspace’s')}
          />
        )}
        <SiteChoice chosen={siteIds} onChoose={setSiteIds} />
        <Disclosure title="Limits">
          <LastDay value={lastDay} onValue={setLastDay} />
          {scope !== 'read' && (
            <Field
              label="Paths"
              hint="The only pages and files that the key may write to, such as /blog/*, /news. Empty: all."
              value={paths}
              onValue={setPaths}
            />
          )}
          <Field
            label="Web pages"
            hint="Addresses such as https://app.example, whose pages may use the key. Empty: those that the service allows."
            value={origins}
            onValue={setOrigins}
          />
          <Segmented
            label="Tools for agents"
            value={toolset}
            from={TOOLSETS}
            labelOf={(each) => (each === 'pages' ? 'those for pages' : 'all')}
            onChoose={setToolset}
          />
        </Disclosure>
        <div class="bar">
          <Button type="submit" kind="main" disabled={label === ''}>
            Create the key
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

/** Returns the paths, which commas separate; null if there are none. */
function pathsIn(text: string): string[] | null {
  const paths = text
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '')
  return paths.length === 0 ? null : paths
}
