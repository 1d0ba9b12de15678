// The preview of a draft: the service answers a dry run with a URL that shows the site with the draft.

import { useEffect, useState } from 'preact/hooks'
import { dataOf, type Page, type Site, siteApi } from '../../api/client.js'
import { asError } from '../../api/use-loaded.js'

const DELAY_MS = 400

export interface Preview {
  url?: string
  /** Says why there is no URL. */
  absence?: string
  problem?: string
  /** Warnings of the service, such as links that lead nowhere. */
  warnings?: readonly string[]
}

/** `html` is undefined for a person who may not make previews. */
export function usePreview(site: Site, page: Page, html: string | undefined): Preview {
  const [preview, setPreview] = useState<Preview>({
    absence: absenceOf(html),
  })
  useEffect(() => {
    if (html === '' || html === undefined) return undefined
    const controller = new AbortController()
    const timer = setTimeout(() => {
      dryRun(site, page, html, controller.signal).then(setPreview, (error: unknown) => {
        if (!controller.signal.aborted)
          setPreview(({ url }) => ({ ...(url && { url }), problem: asError(error).message }))
      })
    }, DELAY_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [site.id, page.id, html])
  return preview
}

async function dryRun(site: Site, { id }: Page, html: string, signal: AbortSignal): Promise<Preview> {
  const params = { path: { id }, query: { dryRun: true } }
  const answer = dataOf(await siteApi(site).PUT('/pages/{id}/content', { params, body: { html }, signal }))
  const { previewUrl = null, warnings = [] } = answer.dryRun ?? {}
  const shown = previewUrl === null ? { absence: 'This page is too large for a preview.' } : { url: previewUrl }
  return { ...shown, warnings: warnings.map(({ message }) => message) }
}

function absenceOf(html: string | undefined): string {
  if (html === undefined) return 'Your role here only reads: open the page at its address above.'
  return html === '' ? 'An empty page has no preview.' : 'The preview is being made…'
}
