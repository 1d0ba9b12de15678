// A page that is not there yet: from nothing, a template, or pasted HTML.

import { useState } from 'preact/hooks'
import { call, list, type Page, type Site, type Template } from '../api.js'
import { dropDraft, keepDraft, readDraft } from '../drafts.js'
import { CodeEditor } from '../editor/editor.js'
import { asApiError, useLoaded } from '../load.js'
import { Field } from '../parts/field.js'
import { notify } from '../parts/notices.js'
import { useShortcuts } from '../parts/shortcuts.js'
import { navigate } from '../router.js'

const PASTED = 'html'

export function NewPageScreen({ site }: { site: Site }) {
  const draftName = `new ${site.id}`
  const [path, setPath] = useState(() => new URLSearchParams(location.search).get('path') ?? '/')
  const [title, setTitle] = useState('')
  const [from, setFrom] = useState('blank')
  const [html, setHtml] = useState(() => readDraft(draftName)?.html ?? '')
  const [refusal, setRefusal] = useState<string>()
  const templates = useLoaded<Template[]>(
    'templates',
    async (signal) => (await list<Template>('/templates', { signal })).entries,
  )
  const create = async () => {
    const content = from === PASTED ? { html } : { templateId: from }
    try {
      const page = await call<Page>('POST', '/pages', {
        site: site.id,
        body: { path, ...content, ...(title !== '' && { title }) },
      })
      dropDraft(draftName)
      notify(`${page.url} is live.`)
      navigate(`/sites/${site.slug}/pages/${page.id}`)
    } catch (error) {
      setRefusal(asApiError(error).message)
    }
  }
  useShortcuts({ 'mod+s': () => void create() })
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void create()
      }}
    >
      <Field
        label="Path"
        hint={`It will be at ${site.url}${path.startsWith('/') ? '' : '/'}${path}`}
        problem={refusal}
        value={path}
        onValue={(value) => {
          setPath(value)
          setRefusal(undefined)
        }}
        autofocus
        required
      />
      <Field label="Title" hint="Empty: the document's own." value={title} onValue={setTitle} />
      <fieldset>
        <legend>Begin with</legend>
        {[...(templates.data ?? []).map(({ id }) => id), PASTED].map((each) => (
          <label key={each}>
            <input type="radio" name="from" checked={from === each} onChange={() => setFrom(each)} />{' '}
            {each === PASTED ? 'my own HTML' : each}
          </label>
        ))}
      </fieldset>
      {from === PASTED && (
        <CodeEditor
          text={html}
          version={0}
          label="HTML"
          language="html"
          onChange={(text) => {
            setHtml(text)
            keepDraft(draftName, { html: text, etag: null })
          }}
        />
      )}
      <div class="bar">
        <button type="submit" class="main">
          Publish
        </button>
        <a class="button" href={`/sites/${site.slug}`}>
          Cancel
        </a>
      </div>
    </form>
  )
}
