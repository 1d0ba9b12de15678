// A hosted page in a frame, on its site's own domain and without any right to the dashboard.

import { useEffect, useState } from 'preact/hooks'
import { call } from '../api.js'
import { asApiError } from '../load.js'

interface PreviewProps {
  title: string
  url: string | undefined
}

/** Scripts run, as they will for visitors, but in an origin of their own: no storage, no forms' targets, no way up. */
export function PageFrame({ title, url }: PreviewProps) {
  return url === undefined ? (
    <div class="frame hint">Nothing to show yet</div>
  ) : (
    <iframe class="frame" title={title} src={url} sandbox="allow-scripts" referrerpolicy="no-referrer" />
  )
}

/** Milliseconds without a key before the draft is shown. */
const REST = 400

interface DryRunAnswer {
  dryRun: { previewUrl: string | null }
}

/** The address where a draft can be seen as it would be served; undefined until the first is there. */
export function useDraftPreview(draft: {
  method: 'POST' | 'PUT'
  path: string
  site: string
  html: string
  body?: object
}): { url: string | undefined; problem: string | undefined } {
  const { method, path, site, html, body } = draft
  const [shown, setShown] = useState<{ url?: string; problem?: string }>({})
  const extra = JSON.stringify(body ?? {})
  useEffect(() => {
    if (html === '') return undefined
    const controller = new AbortController()
    const timer = setTimeout(() => {
      const dry = `${path}?dryRun=true`
      call<DryRunAnswer>(method, dry, { site, body: { html, ...body }, signal: controller.signal }).then(
        ({ dryRun: { previewUrl } }) => setShown({ ...(previewUrl !== null && { url: previewUrl }) }),
        (error: unknown) => {
          if (!controller.signal.aborted) setShown((before) => ({ ...before, problem: asApiError(error).message }))
        },
      )
    }, REST)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [method, path, site, html, extra])
  return { url: shown.url, problem: shown.problem }
}
