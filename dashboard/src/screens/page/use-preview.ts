// The preview of a draft: the service answers a dry run with a URL that shows the site with the draft.

import { useEffect, useState } from 'preact/hooks'
import { dataOf, type Page, type Site, siteApi } from '../../api/client.js'
import { asError } from '../../api/use-loaded.js'

const DELAY_MS = 400

export interface Preview {
  /** Stays while the next one is made, and when that fails. */
  url?: string
  /** Says why there is no URL. */
  absence?: string
  problem?: string
  /** Warnings of the service, such as links that lead nowhere. */
  warnings?: readonly string[]
}

/** `html` is undefined for a person who may not make previews. `request`: the page is of this change request. */
export function usePreview(site: Site, page: Page, html: string | undefined, request?: string): Preview {
  const [preview, setPreview] = useState<Preview>({ absence: absenceOf(html) })
  const onlineAgain = useOnlineAgain()
  useEffect(() => {
    if (html === '' || html === undefined) return undefined
    const controller = new AbortController()
    const timer = setTimeout(() => {
      dryRun(site, page, { html, request, signal: controller.signal }).then(setPreview, (error: unknown) => {
        if (!controller.signal.aborted)
          setPreview(({ url }) => ({ ...(url && { url }), problem: asError(error).message }))
      })
    }, DELAY_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
    // The first save of a draft changes no picture.
  }, [site.id, page.id, html, onlineAgain])
  return preview
}

/** Changes each time the browser is online again. */
function useOnlineAgain(): number {
  const [times, setTimes] = useState(0)
  useEffect(() => {
    const count = () => setTimes((before) => before + 1)
    addEventListener('online', count)
    return () => removeEventListener('online', count)
  }, [])
  return times
}

interface DryRun {
  html: string
  request: string | undefined
  signal: AbortSignal
}

async function dryRun(site: Site, { id }: Page, { html, request, signal }: DryRun): Promise<Preview> {
  const query = { dryRun: true, ...(request && { changeRequest: request }) }
  const params = { path: { id }, query }
  const answer = dataOf(await siteApi(site).PUT('/pages/{id}/content', { params, body: { html }, signal }))
  const { previewUrl = null, warnings = [] } = answer.dryRun ?? {}
  const shown = previewUrl === null ? { absence: 'This page is too large for a preview.' } : { url: previewUrl }
  // The editor offers to make paragraphs of a text without tags.
  const others = warnings.filter(({ code }) => code !== 'no_tags')
  return { ...shown, warnings: others.map(({ message }) => message) }
}

function absenceOf(html: string | undefined): string {
  if (html === undefined) return 'Your role here only reads: open the page at its address above.'
  return html === '' ? 'An empty page has no preview.' : 'The preview is being made…'
}
