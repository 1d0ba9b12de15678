// The versions of a file, the newest first. One button goes back to an earlier one.

import { dataOf, type Site, siteApi, type StoredFile } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { useOneAtATime } from '../../browser/use-one-at-a-time.js'
import { formatBytes } from '../../format.js'
import { Button } from '../../parts/controls/button.js'
import { Table } from '../../parts/lists/table.js'
import { Dialog } from '../../parts/overlays/dialog.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { useMay } from '../../parts/rights/allowed.js'
import { Age } from '../../parts/states/age.js'
import { AwaitList } from '../../parts/states/await.js'

interface FileHistoryProps {
  site: Site
  file: StoredFile
  onClose: () => void
  onChanged: () => void
}

const DONE = {
  add: 'added it',
  replace: 'changed it',
  delete: 'removed it',
  rollback: 'went back',
  revert: 'took back',
}

export function FileHistory({ site, file: { path, oid }, onClose, onChanged }: FileHistoryProps) {
  const mayWrite = useMay()('write')
  const versions = useList(`versions of ${site.id} ${path}`, (cursor, signal) =>
    siteApi(site).GET('/files/versions', { params: { query: { path, ...cursor } }, signal }),
  )
  const goBack = useOneAtATime(async (version: number) => {
    try {
      const header = { 'If-Match': `"${oid}"` }
      dataOf(await siteApi(site).POST('/files/rollback', { params: { header }, body: { path, version } }))
      notify(`${path} is as in version ${version} again.`)
      onChanged()
      onClose()
    } catch (error) {
      notifyFailure(error)
    }
  })
  return (
    <Dialog title={`History of ${path}`} onClose={onClose} wide>
      <AwaitList of={versions} moreLabel="Older versions" empty={null}>
        {(entries) => (
          <Table
            label={`Versions of ${path}`}
            columns={['Version', 'Who', 'When', 'Size']}
            headingAt={0}
            rows={entries.map((version) => ({
              key: version.id,
              cells: [
                String(version.number),
                <div class="long-text">
                  {version.author} {DONE[version.action]}
                </div>,
                <Age of={version.createdAt} />,
                version.oid === null ? '' : formatBytes(version.size),
              ],
              actions: mayWrite && version.oid !== null && version.oid !== oid && (
                <Button onClick={() => void goBack(version.number)}>Go back to version {version.number}</Button>
              ),
            }))}
          />
        )}
      </AwaitList>
    </Dialog>
  )
}
