// Deletes a file, and restores it on request.

import { dataOf, type Site, siteApi, type StoredFile } from '../../api/client.js'
import { notify, notifyFailure } from '../../parts/notices.js'

/** Deletes the file and shows a notice with an Undo. */
export async function deleteFile(site: Site, { path, oid }: StoredFile, onChanged: () => void): Promise<void> {
  const params = { query: { path }, header: { 'If-Match': `"${oid}"` } }
  dataOf(await siteApi(site).DELETE('/files', { params }))
  notify(`${path} is deleted.`, { label: 'Undo', run: () => void restore(site, path, onChanged) })
}

/** Rolls back to the version before the deletion. */
async function restore(site: Site, path: string, onChanged: () => void): Promise<void> {
  try {
    const versions = dataOf(await siteApi(site).GET('/files/versions', { params: { query: { path, limit: 2 } } }))
    const version = versions.find(({ oid }) => oid !== null)?.number
    if (version === undefined) throw new Error(`${path} has no version to go back to.`)
    dataOf(await siteApi(site).POST('/files/rollback', { body: { path, version } }))
    notify(`${path} is back.`)
    onChanged()
  } catch (error) {
    notifyFailure(error)
  }
}
