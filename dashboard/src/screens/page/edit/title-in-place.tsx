// The title of a page in the bar of its editor, where it is edited. An empty one is the title in the HTML.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { dataOf, type Page, type Site, siteApi } from '../../../api/client.js'
import { notify, notifyFailure } from '../../../parts/overlays/notices.js'

interface TitleProps {
  site: Site
  page: Page
  /** The change request that the page is of. */
  request?: string | undefined
  isEditable: boolean
  onChanged: (page: Page) => void
}

export function TitleInPlace({ site, page, request, isEditable, onChanged }: TitleProps) {
  const shown = page.title ?? ''
  const [title, setTitle] = useState(shown)
  // A title that the person is typing stays when the page comes with another one.
  const known = useRef(shown)
  useLayoutEffect(() => {
    const before = known.current
    known.current = shown
    setTitle((now) => (now === before ? shown : now))
  }, [shown])
  const latest = useRef(page)
  latest.current = page
  const save = async (typed: string) => {
    const before = latest.current
    const settle = (saved: Page) => setTitle((now) => (now.trim() === typed ? (saved.title ?? '') : now))
    if (typed === (before.title ?? '')) return settle(before)
    try {
      const next = await retitle(site, before, { title: typed === '' ? null : typed, request })
      latest.current = next
      settle(next)
      onChanged(next)
      notify(typed === '' ? 'The title is the one in the HTML again.' : 'The title is saved.')
    } catch (error) {
      settle(before)
      notifyFailure(error)
    }
  }
  const running = useRef(Promise.resolve())
  const saveNext = () => {
    running.current = running.current.then(() => save(title.trim()))
  }
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') saveNext()
    if (key === 'Escape') setTitle(shown)
  }
  return (
    <>
      <h1 class="unseen">{shown === '' ? page.path : shown}</h1>
      {isEditable ? (
        <input
          class="title"
          dir="auto"
          aria-label="Title"
          title="Shown in lists. Empty: the title in the HTML."
          placeholder={page.path}
          maxLength={255}
          value={title}
          onInput={(event) => setTitle(event.currentTarget.value)}
          onKeyDown={onKey}
          onBlur={saveNext}
        />
      ) : (
        <span class="title" dir="auto" aria-hidden="true">
          {shown === '' ? page.path : shown}
        </span>
      )}
    </>
  )
}

interface Retitling {
  title: string | null
  request: string | undefined
}

async function retitle(site: Site, page: Page, { title, request }: Retitling): Promise<Page> {
  const query = request === undefined ? {} : { changeRequest: request }
  const params = { path: { id: page.id }, query, header: { 'If-Match': page.etag } }
  return dataOf(await siteApi(site).PATCH('/pages/{id}', { params, body: { title } }))
}
