// The dialog that makes a review link for a guest, and ends such links.

import { useState } from 'preact/hooks'
import { api, dataOf, type ChangeRequest, type Site } from '../../api/client.js'
import { Button } from '../../parts/controls/button.js'
import { Segmented } from '../../parts/controls/segmented.js'
import { Dialog } from '../../parts/overlays/dialog.js'
import { notifyFailure } from '../../parts/overlays/notices.js'
import { Command } from '../../parts/states/command.js'
import { GuestLinks, useGuestLinks } from './guest-links.js'

const DAY_SECONDS = 86_400
const LASTS = ['1', '7', '30'] as const
type Lasts = (typeof LASTS)[number]
const LABELS: Readonly<Record<Lasts, string>> = { '1': 'a day', '7': 'a week', '30': '30 days' }

interface InviteGuestProps {
  site: Site
  request: ChangeRequest
}

export function InviteGuest(props: InviteGuestProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon="link" onClick={() => setOpen(true)}>
        Invite a guest
      </Button>
      {isOpen && <InviteDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

export function InviteDialog({ site, request: { id }, onClose }: InviteGuestProps & { onClose: () => void }) {
  const [lasts, setLasts] = useState<Lasts>('7')
  const [url, setUrl] = useState<string>()
  const links = useGuestLinks(id)
  const make = async () => {
    const body = { expiresIn: Number(lasts) * DAY_SECONDS }
    try {
      setUrl(dataOf(await api.POST('/change-requests/{id}/links', { params: { path: { id } }, body })).reviewUrl)
      links.reload()
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <Dialog
      title="Invite a guest"
      onClose={onClose}
      onSubmit={make}
      actions={
        <Button type="submit" kind="main">
          {url === undefined ? 'Make a link' : 'Make another link'}
        </Button>
      }
    >
      <p>
        A guest needs no account. The link shows this change and its comments, and nothing else.{' '}
        {site.guestComments
          ? 'Guests can comment, under a name that nobody checks.'
          : 'Guests only look: this site takes no comments of guests. Its settings for visitors change that.'}
      </p>
      <Segmented label="It lasts" value={lasts} from={LASTS} labelOf={(each) => LABELS[each]} onChoose={setLasts} />
      {url !== undefined && (
        <>
          <p role="status">Send this link to your guest. It is shown only now.</p>
          <Command text={url} label="Review link" />
        </>
      )}
      <GuestLinks request={id} links={links} />
    </Dialog>
  )
}
