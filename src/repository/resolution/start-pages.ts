// Finds files that are meant as start pages by their names, in folders whose URL leads nowhere.

import { isContentPath } from '../../model/paths/file-path.js'
import { encodePath } from '../../model/paths/path-text.js'
import { startPageMeantBy } from '../../model/paths/start-page.js'
import { type ResolvableView, resolve } from './resolution.js'

/** Tells why the folder of a file has no start page, if the file looks like one; undefined if all is well. */
export function whyNoStart(view: ResolvableView, treePath: string): string | undefined {
  const start = startPageMeantBy(treePath)
  if (start === undefined || !isContentPath(treePath)) return undefined
  const url = `/${encodePath(start.slice(0, -'index.html'.length))}`
  if (leads(view, url)) return undefined
  const name = treePath.slice(treePath.lastIndexOf('/') + 1)
  return `${url} is 404: the start page of a folder is index.html, and this file is named ${name}.`
}

/** Whether the URL of a folder, or of the site, is answered with anything but its missing page. */
export function leads(view: ResolvableView, url: string): boolean {
  const found = resolve(view, url)
  return found.kind !== 'missing' && !(found.kind === 'file' && found.file.status === 404)
}
