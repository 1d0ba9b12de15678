// One page: its HTML beside what visitors will see, published with a note. Nobody's words are lost: what is unpublished is
// kept in the browser, and what somebody else published meanwhile is shown before it is replaced.

import { useEffect, useState } from 'preact/hooks'
import { ApiError, call, type Page, type Site } from '../api.js'
import { dropDraft, keepDraft, readDraft } from '../drafts.js'
import { CodeEditor, Comparison } from '../editor/editor.js'
import { formatAge, formatBytes, formatTime } from '../format.js'
import { useLoaded } from '../load.js'
import { Dialog } from '../parts/dialog.js'
import { notify, notifyFailure } from '../parts/notices.js'
import { PageFrame, useDraftPreview } from '../parts/preview.js'
import { useShortcuts } from '../parts/shortcuts.js'
import { Await } from '../parts/state.js'
import { navigate } from '../router.js'

export function PageEditorScreen({ site, pageId }: { site: Site; pageId: string }) {
  const page = useLoaded<Page>(`page ${pageId}`, (signal) => call('GET', `/pages/${pageId}`, { site: site.id, signal }))
  return (
    <Await of={page}>
      {(data) =>
        data.status === 'published' ? (
          <PublishedPage site={site} page={data} onChanged={page.put} />
        ) : (
          <UnpublishedPage site={site} page={data} />
        )
      }
    </Await>
  )
}

interface PageProps {
  site: Site
  page: Page
  onChanged: (page: Page) => void
}

function PublishedPage({ site, page, onChanged }: PageProps) {
  const draft = useState(() => readDraft(page.id))[0]
  const published = page.html ?? ''
  const [html, setHtml] = useState(draft?.html ?? published)
  /** The version that the words in the editor began from. */
  const [base, setBase] = useState(draft?.etag ?? page.etag)
  const [note, setNote] = useState('')
  const [version, setVersion] = useState(0)
  const [conflict, setConflict] = useState<Page>()
  const isChanged = html !== published
  const preview = useDraftPreview({ method: 'PUT', path: `/pages/${page.id}/content`, site: site.id, html })

  useEffect(() => {
    if (!isChanged) dropDraft(page.id)
    else if (!keepDraft(page.id, { html, etag: base })) warnOnLeaving()
  }, [html, base, isChanged])

  const settle = (next: Page) => {
    setBase(next.etag)
    setConflict(undefined)
    setNote('')
    onChanged({ ...next, html: next.html ?? html })
  }
  const publish = async (over = base) => {
    try {
      const next = await call<Page>('PUT', `/pages/${page.id}/content`, {
        site: site.id,
        ifMatch: over,
        body: { html, ...(note !== '' && { reason: note }) },
      })
      settle({ ...next, html })
      notify('Published.')
    } catch (error) {
      if (error instanceof ApiError && error.code === 'precondition_failed') await showConflict()
      else notifyFailure(error)
    }
  }
  const showConflict = async () => {
    try {
      setConflict(await call<Page>('GET', `/pages/${page.id}`, { site: site.id }))
    } catch (error) {
      notifyFailure(error)
    }
  }
  const replaceText = (text: string) => {
    setHtml(text)
    setVersion((before) => before + 1)
  }
  useShortcuts({ 'mod+s': () => void publish() })
  return (
    <>
      <PageBar site={site} page={page} />
      <div class="split">
        <CodeEditor text={html} version={version} label="HTML" language="html" onChange={setHtml} />
        <div class="preview">
          {/* A draft that changes nothing has no preview of its own: it is what visitors see. */}
          <PageFrame title="Preview" url={preview.url ?? page.url} />
          {preview.problem !== undefined && <p class="hint wrong">{preview.problem}</p>}
        </div>
      </div>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault()
          void publish()
        }}
      >
        <label class="grow">
          <span class="unseen">Note for the history</span>
          <input
            placeholder="Note for the history (optional)"
            value={note}
            onInput={(event) => setNote(event.currentTarget.value)}
          />
        </label>
        <span class="hint" role="status">
          {isChanged ? 'Not published yet; kept in this browser' : 'As published'}
        </span>
        {isChanged && (
          <button type="button" onClick={() => discard()}>
            Discard
          </button>
        )}
        <button type="submit" class="main" disabled={!isChanged}>
          Publish
        </button>
      </form>
      {conflict && (
        <Conflict
          mine={html}
          theirs={conflict}
          onClose={() => setConflict(undefined)}
          onKeepMine={() => void publish(conflict.etag)}
          onTakeTheirs={() => {
            replaceText(conflict.html ?? '')
            settle(conflict)
          }}
        />
      )}
    </>
  )

  function discard(): void {
    const words = html
    replaceText(published)
    setBase(page.etag)
    notify('Your changes are discarded.', { label: 'Undo', run: () => replaceText(words) })
  }
}

function PageBar({ site, page }: { site: Site; page: Page }) {
  const remove = async () => {
    try {
      await call('DELETE', `/pages/${page.id}`, { site: site.id, ifMatch: page.etag })
      notify(`${page.path} is unpublished.`, { label: 'Undo', run: () => void restore(site, page) })
      navigate(`/sites/${site.slug}`)
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <div class="bar">
      <h2>
        <a href={page.url} target="_blank" rel="noopener noreferrer">
          {page.path} ↗
        </a>
      </h2>
      <span class="hint grow">
        {page.title} · version {page.version.number} · {formatBytes(page.size)} ·{' '}
        <time dateTime={page.updatedAt} title={formatTime(page.updatedAt)}>
          {formatAge(page.updatedAt)}
        </time>
      </span>
      <a class="button" href={`/sites/${site.slug}/pages/${page.id}/history`}>
        History
      </a>
      <button type="button" onClick={() => void remove()}>
        Unpublish
      </button>
    </div>
  )
}

function UnpublishedPage({ site, page }: { site: Site; page: Page }) {
  return (
    <div class="panel empty">
      <h2>{page.path} is unpublished</h2>
      <p>Visitors get 404. Its versions are all there: put one back, and it is live again under the same id.</p>
      <a class="button main" href={`/sites/${site.slug}/pages/${page.id}/history`}>
        History
      </a>
    </div>
  )
}

interface ConflictProps {
  mine: string
  theirs: Page
  onClose: () => void
  onKeepMine: () => void
  onTakeTheirs: () => void
}

function Conflict({ mine, theirs, onClose, onKeepMine, onTakeTheirs }: ConflictProps) {
  return (
    <Dialog title="Somebody published meanwhile" onClose={onClose} wide>
      <p>
        Version {theirs.version.number} came {formatAge(theirs.updatedAt)}. Left is what is live now, right is yours.
        Close this to work what you need of theirs into yours.
      </p>
      <Comparison before={theirs.html ?? ''} after={mine} layout="side by side" />
      <div class="bar">
        <button type="button" class="main" onClick={onKeepMine}>
          Publish mine over it
        </button>
        <button type="button" onClick={onTakeTheirs}>
          Take theirs
        </button>
      </div>
    </Dialog>
  )
}

/** Puts back the newest version with content. */
async function restore(site: Site, page: Page): Promise<void> {
  try {
    await call('POST', `/pages/${page.id}/rollback`, { site: site.id, body: { version: page.version.number } })
    notify(`${page.path} is live again.`)
    navigate(`/sites/${site.slug}/pages/${page.id}`)
  } catch (error) {
    notifyFailure(error)
  }
}

/** For a browser that keeps nothing: the one case in which words could be lost. */
function warnOnLeaving(): void {
  addEventListener('beforeunload', (event) => event.preventDefault(), { once: true })
}
