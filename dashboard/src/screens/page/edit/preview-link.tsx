// The dialog with a link to a draft, for people without an account.

import type { Page } from '../../../api/client.js'
import { useLoaded } from '../../../api/use-loaded.js'
import { Dialog } from '../../../parts/overlays/dialog.js'
import { Await } from '../../../parts/states/await.js'
import { Command } from '../../../parts/states/command.js'
import { linkToRequest } from '../../../api/requests.js'

interface PreviewLinkProps {
  page: Page
  request: string
  onClose: () => void
}

export function PreviewLink({ page, request, onClose }: PreviewLinkProps) {
  const link = useLoaded(`link to ${request}`, async () => await linkToRequest(request, page))
  return (
    <Dialog title="Preview link" onClose={onClose}>
      <p>Everybody who has this link sees the draft as it is then. It ends in a week, or with the draft.</p>
      <Await of={link}>{(url) => <Command text={url} label="Link" />}</Await>
    </Dialog>
  )
}
