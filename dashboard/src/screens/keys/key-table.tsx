// The table of API keys, with rotating and revoking. Its person takes or declines an offered key there.

import { api, dataOf, type Key, type Me, type NewKey } from '../../api/client.js'
import type { SiteNames } from '../../api/use-site-names.js'
import { formatTime } from '../../format.js'
import { useOneAtATime } from '../../browser/use-one-at-a-time.js'
import { Age } from '../../parts/states/age.js'
import { Table } from '../../parts/lists/table.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { wordScopes } from '../../parts/rights/scopes.js'
import { SureButton } from '../../parts/controls/sure-button.js'
import { Button } from '../../parts/controls/button.js'

interface KeyTableProps {
  me: Me
  keys: readonly Key[]
  namesOf: SiteNames
  onRotated: (made: NewKey) => void
  onChanged: () => void
}

export function KeyTable({ me, keys, namesOf, onRotated, onChanged }: KeyTableProps) {
  const rows = keys.map((key) => ({
    key: key.id,
    cells: [
      <Label of={key} />,
      <code>{key.prefix}</code>,
      <Rights of={key} namesOf={namesOf} />,
      key.lastUsedAt === null ? 'never' : <Age of={key.lastUsedAt} />,
      key.expiresAt === null ? 'never' : formatTime(key.expiresAt),
    ],
    actions: <KeyActions me={me} target={key} onRotated={onRotated} onChanged={onChanged} />,
  }))
  return (
    <Table label="API keys" columns={['Label', 'Key', 'Rights', 'Last used', 'Expires']} headingAt={0} rows={rows} />
  )
}

function Label({ of: { label, offer } }: { of: Key }) {
  return (
    <div class="long-text">
      {label}
      {offer !== null && (
        <div class="hint">
          {offer.from} had this key. It is offered until {formatTime(offer.until)}, and works once it is taken.
        </div>
      )}
    </div>
  )
}

/** Says what the key may do, and below them the limits of the key: sites, paths, web pages, and the tools of its agents. */
function Rights({ of: { scopes, sites, paths, origins, toolset }, namesOf }: { of: Key; namesOf: SiteNames }) {
  const limits = [
    ...(sites === null ? [] : [`only ${namesOf(sites)}`]),
    ...(paths ?? []),
    ...(origins ?? []),
    ...(toolset === null ? [] : [toolset === 'pages' ? 'tools for pages alone' : `tools: ${toolset}`]),
  ]
  return (
    <div class="long-text">
      {wordScopes(scopes)}
      {limits.map((limit) => (
        <div key={limit} class="hint">
          {limit}
        </div>
      ))}
    </div>
  )
}

interface KeyActionsProps extends Omit<KeyTableProps, 'keys' | 'namesOf'> {
  target: Key
}

function KeyActions({ me, target: { id, label, offer, userId }, onRotated, onChanged }: KeyActionsProps) {
  const isOffer = offer !== null
  const rotate = useOneAtATime(async () => {
    try {
      onRotated(dataOf(await api.POST('/keys/{id}/rotate', { params: { path: { id } }, body: {} })))
    } catch (error) {
      notifyFailure(error)
    }
  })
  const revoke = async () => {
    try {
      dataOf(await api.DELETE('/keys/{id}', { params: { path: { id } } }))
      notify(isOffer ? `The offer of “${label}” is declined.` : `The key “${label}” is revoked.`)
      onChanged()
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <>
      {(!isOffer || userId === me.person?.id) && (
        <Button aria-label={`${isOffer ? 'Take' : 'Rotate'} ${label}`} onClick={() => void rotate()}>
          {isOffer ? 'Take' : 'Rotate'}
        </Button>
      )}
      <SureButton
        label={isOffer ? 'Decline' : 'Revoke'}
        sureLabel={isOffer ? 'Decline for good' : 'Revoke for good'}
        of={label}
        onSure={() => void revoke()}
      />
    </>
  )
}
