// The title of a page in the bar of its editor, where it is edited. An empty one is the title in the HTML.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { dataOf, type Page, type Site, siteApi } from '../../../api/client.js'
import { useOneAtATime } from '../../../browser/use-one-at-a-time.js'
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
  const isReset = useRef(false)
  useLayoutEffect(() => setTitle(shown), [shown])
  const save = useOneAtATime(async () => {
    const isUnchanged = title.trim() === shown || isReset.current
    isReset.current = false
    if (isUnchanged) return setTitle(shown)
    try {
      const next = await retitle(site, page, { title: title.trim() === '' ? null : title.trim(), request })
      setTitle(next.title ?? '')
      onChanged(next)
      notify(title.trim() === '' ? 'The title is the one in the HTML again.' : 'The title is saved.')
    } catch (error) {
      setTitle(shown)
      notifyFailure(error)
    }
  })
  const onKey = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    isReset.current = event.key === 'Escape'
    if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur()
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
          onBlur={() => void save()}
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
