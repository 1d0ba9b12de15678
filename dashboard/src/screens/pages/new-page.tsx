// A new page: blank, from a template, or from pasted HTML.

import { useState } from 'preact/hooks'
import { dataOf, Refusal, type Site, siteApi, sliceOf } from '../../api/client.js'
import { asError, useLoaded } from '../../api/use-loaded.js'
import { navigate } from '../../browser/router.js'
import { useShortcuts } from '../../browser/shortcuts.js'
import { useTitle } from '../../browser/title.js'
import { useOneAtATime } from '../../browser/use-one-at-a-time.js'
import { HtmlEditor } from '../../editor/html-editor.js'
import { RadioGroup } from '../../parts/choice.js'
import { Field } from '../../parts/field.js'
import { Form } from '../../parts/form.js'
import { notify, notifyFailure } from '../../parts/notices.js'
import { OWN_HTML, useNewPageDraft } from './use-new-page-draft.js'

export function NewPageScreen({ site }: { site: Site }) {
  const { draft, isBegun, change, settle, discard } = useNewPageDraft(site)
  const [refusal, setRefusal] = useState<string>()
  const templates = useTemplates(site)
  useTitle('New page', site.slug)
  const publish = async () => {
    const { path, title, from, html } = draft
    const content = from === OWN_HTML ? { html } : { templateId: from }
    try {
      const body = { path, ...content, ...(title !== '' && { title }) }
      const page = dataOf(await siteApi(site).POST('/pages', { body }))
      settle()
      notify(`${page.url} is live.`)
      for (const { message } of page.warnings ?? []) notifyFailure(message)
      navigate(`/sites/${site.slug}/pages/${page.id}`)
    } catch (error) {
      const isTaken = error instanceof Refusal && error.code === 'page_exists'
      setRefusal(
        isTaken
          ? `A page is published at ${path} already: edit that one, or choose another path.`
          : asError(error).message,
      )
    }
  }
  const create = useOneAtATime(publish)
  const changePath = (path: string) => {
    change({ path })
    setRefusal(undefined)
  }
  useShortcuts({ 'mod+s': () => void create() })
  return (
    <Form class="stack" onSubmit={create}>
      <Field
        label="Path"
        hint={`Visitors will find it at ${site.url}${draft.path.startsWith('/') ? '' : '/'}${draft.path}`}
        problem={refusal}
        value={draft.path}
        onValue={changePath}
        autofocus
        required
      />
      <Field
        label="Title"
        hint="Empty: the title in the HTML."
        value={draft.title}
        onValue={(title) => change({ title })}
      />
      <RadioGroup
        label="Begin with"
        value={draft.from}
        from={[...templates, OWN_HTML]}
        onChoose={(from) => change({ from })}
        labelOf={(from) => (from === OWN_HTML ? 'my own HTML' : from)}
      />
      {draft.from === OWN_HTML && (
        <HtmlEditor site={site} text={draft.html} version={0} onChange={(html) => change({ html })} />
      )}
      <NewPageActions site={site} isBegun={isBegun} onDiscard={discard} />
    </Form>
  )
}

interface NewPageActionsProps {
  site: Site
  isBegun: boolean
  onDiscard: () => void
}

function NewPageActions({ site, isBegun, onDiscard }: NewPageActionsProps) {
  return (
    <div class="bar">
      <button type="submit" class="main">
        Publish
      </button>
      {isBegun && (
        <button type="button" onClick={onDiscard}>
          Discard
        </button>
      )}
      <a class="button" href={`/sites/${site.slug}`}>
        Cancel
      </a>
      {isBegun && <span class="hint">Not published yet; kept in this browser</span>}
    </div>
  )
}

/** The ids of the templates. */
function useTemplates(site: Site): readonly string[] {
  const templates = useLoaded<string[]>(`templates ${site.id}`, async (signal) => {
    const { entries } = sliceOf(await siteApi(site).GET('/templates', { signal }))
    return entries.map(({ id }) => id)
  })
  return templates.data ?? []
}
