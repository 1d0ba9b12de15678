// Uploads images for a text and inserts their tags into it.

import { useEffect, useRef, useState } from 'preact/hooks'
import { dataOf, Refusal, type Site, siteApi } from '../api/client.js'
import { putFile } from '../api/put-file.js'
import type { Place } from '../editor/places.js'
import { notify, notifyFailure } from '../parts/overlays/notices.js'
import type { Done } from '../parts/states/progress.js'
import { nameOf, pixelsOf } from './image-file.js'
import { imageTag, type Pixels, placeOfAlt } from './image-tag.js'

/** Folder for images of the editor. */
const FOLDER = '/img/'
/** Names to try if others take them meanwhile. */
const MAX_TRIES = 5

interface UploadOptions {
  /** The change request that the images go to. */
  request?: string | undefined
  onProgress: (progress: Done) => void
  signal: AbortSignal
}

export function useImageUpload(site: Site, request?: string) {
  const [progress, setProgress] = useState<Done>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const insert = async (files: readonly File[], place: Place) => {
    if (running.current !== undefined) {
      place.leave()
      return notifyFailure('An image is being uploaded: wait, or cancel it.')
    }
    const { signal } = (running.current = new AbortController())
    setProgress({ done: 0, all: 1 })
    const tags: string[] = []
    try {
      for (const file of files) {
        // One after the other, in their order in the text.
        // oxlint-disable-next-line no-await-in-loop
        const { path, pixels, widths } = await uploadPicture(site, file, { request, onProgress: setProgress, signal })
        tags.push(imageTag(path, pixels, widths))
      }
    } catch (error) {
      if (signal.aborted) notify('The upload was cancelled.')
      else notifyFailure(error)
    }
    running.current = undefined
    setProgress(undefined)
    const [first] = tags
    if (first === undefined) place.leave()
    else place.insert(tags.join('\n'), placeOfAlt(first))
  }
  return { progress, insert, cancel: () => running.current?.abort() }
}

interface Uploaded {
  /** Percent-encoded. */
  path: string
  pixels: Pixels
  /** Widths in which the service serves it too. */
  widths: readonly number[] | undefined
}

/** Uploads an image under a free name. Throws an error for people. */
export async function uploadPicture(site: Site, file: File, options: UploadOptions): Promise<Uploaded> {
  const pixels = await pixelsOf(file)
  const { stem, ending } = nameOf(file)
  const taken = await namesLike(site, stem)
  for (let number = 1, tries = 1; ; number += 1) {
    const path = `${FOLDER}${stem}${number === 1 ? '' : `-${number}`}${ending}`
    if (taken.has(path)) continue
    try {
      // oxlint-disable-next-line no-await-in-loop
      const { url, widths } = await putFile(site, path, file, { ifMatch: null, ...options })
      return { path: new URL(url ?? path, site.url).pathname, pixels, widths }
    } catch (error) {
      const isTaken = error instanceof Refusal && ['precondition_failed', 'path_conflict'].includes(error.code)
      if (!isTaken || tries++ === MAX_TRIES) throw error
    }
  }
}

/** Returns the paths in the folder that begin with the stem, in lower case like new ones. */
async function namesLike(site: Site, stem: string): Promise<Set<string>> {
  const params = { query: { q: `${FOLDER}${stem}`.slice(1), limit: 1000 } }
  const files = dataOf(await siteApi(site).GET('/files', { params }))
  return new Set(files.map(({ path }) => path.toLowerCase()))
}
