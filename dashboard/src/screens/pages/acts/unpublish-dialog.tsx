// Asks what visitors get at the addresses of pages that are unpublished.

import { useState } from 'preact/hooks'
import type { Page, Site } from '../../../api/client.js'
import { asError } from '../../../api/use-loaded.js'
import { formatCount } from '../../../format.js'
import { Button } from '../../../parts/controls/button.js'
import { Field } from '../../../parts/controls/field.js'
import { RadioList } from '../../../parts/controls/radio-list.js'
import { Dialog } from '../../../parts/overlays/dialog.js'
import { Refusal } from '../../../parts/states/refusal.js'
import { notifyDone, unpublishPages } from './page-changes.js'

export interface ActProps {
  site: Site
  pages: readonly Page[]
  onClose: () => void
  onChanged: () => void
}

const ANSWERS = ['nothing', 'gone', 'elsewhere'] as const
type Answer = (typeof ANSWERS)[number]

const WORDS: Readonly<Record<Answer, string>> = {
  nothing: '“Not found”, as at any address without a page',
  gone: '“Gone”: search engines forget the address soon',
  elsewhere: 'Lead to another page or address…',
}

export function UnpublishDialog({ site, pages, onClose, onChanged }: ActProps) {
  const [answer, setAnswer] = useState<Answer>('nothing')
  const [target, setTarget] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const what = nameOf(pages)
  const unpublish = async () => {
    const leaves = answer === 'gone' ? { gone: true } : answer === 'elsewhere' ? { redirectTo: target.trim() } : {}
    try {
      const commits = await unpublishPages(site, pages, leaves)
      notifyDone(site, `Unpublished ${what}.`, commits, onChanged)
      onChanged()
      onClose()
    } catch (error) {
      setRefusal(asError(error).message)
    }
  }
  return (
    <Dialog
      title={`Unpublish ${what}?`}
      onClose={onClose}
      onSubmit={unpublish}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="main">
            Unpublish
          </Button>
        </>
      }
    >
      <RadioList
        label="Visitors then get"
        value={answer}
        from={ANSWERS}
        labelOf={(each) => WORDS[each]}
        onChoose={setAnswer}
      />
      {answer === 'elsewhere' && (
        <Field
          label="Address"
          hint="A path such as /spring-fair, or https://…"
          value={target}
          onValue={setTarget}
          required
        />
      )}
      <p class="hint">All versions are kept. You can publish {pages.length === 1 ? 'it' : 'them'} again at any time.</p>
      <Refusal of={refusal} />
    </Dialog>
  )
}

/** Names one page by its title, several by their number. */
export function nameOf(pages: readonly Page[]): string {
  const [one] = pages
  return pages.length === 1 && one ? `“${one.title ?? one.path}”` : formatCount(pages.length, 'page')
}
