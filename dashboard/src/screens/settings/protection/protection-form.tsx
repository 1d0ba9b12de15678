// The form of the protection. Saving asks for a fresh proof of who the owner is.

import { useState } from 'preact/hooks'
import { api, dataOf, type Protection, type Site } from '../../../api/client.js'
import { asError } from '../../../api/use-loaded.js'
import { formatCount } from '../../../format.js'
import { Button } from '../../../parts/controls/button.js'
import { Form } from '../../../parts/controls/form.js'
import { Segmented } from '../../../parts/controls/segmented.js'
import { Select } from '../../../parts/controls/select.js'
import { notify } from '../../../parts/overlays/notices.js'
import { Refusal } from '../../../parts/states/refusal.js'
import { ExceptedKeys } from './excepted-keys.js'
import { APPROVERS, APPROVING, KINDS, PUBLISHING } from './words.js'

interface ProtectionFormProps {
  site: Site
  protection: Protection
  onSaved: (protection: Protection) => void
}

export function ProtectionForm({ site, protection: before, onSaved }: ProtectionFormProps) {
  const [kind, setKind] = useState(before.protection)
  const [approvers, setApprovers] = useState(before.approvers)
  const [keys, setKeys] = useState<readonly string[]>(before.exceptedKeys.map(({ id }) => id))
  const [refusal, setRefusal] = useState<string>()
  const save = async () => {
    setRefusal(undefined)
    try {
      const params = { path: { id: site.id } }
      const body = { protection: kind, approvers, exceptedKeys: [...keys] }
      const saved = dataOf(await api.PUT('/sites/{id}/protection', { params, body }))
      notify('The protection is saved.')
      onSaved(saved)
    } catch (error) {
      setRefusal(asError(error).message)
    }
  }
  return (
    <Form onSubmit={save} class="stack">
      <Segmented
        label="Who publishes"
        value={kind}
        from={KINDS}
        labelOf={(each) => PUBLISHING[each].label}
        onChoose={setKind}
      />
      <p role="status">{PUBLISHING[kind].sentence}</p>
      {kind !== 'none' && (
        <>
          <Select
            label="Approved by"
            value={approvers}
            from={APPROVERS}
            labelOf={(each) => APPROVING[each]}
            onChoose={setApprovers}
          />
          {approvers === before.approvers && (
            <p class="hint">{formatCount(before.couldApprove, 'person', 'people')} could approve now.</p>
          )}
          <ExceptedKeys chosen={keys} known={before.exceptedKeys} onChoose={setKeys} />
        </>
      )}
      <Refusal of={refusal} />
      <div class="bar">
        <Button type="submit" kind="main">
          Save the protection
        </Button>
      </div>
    </Form>
  )
}
