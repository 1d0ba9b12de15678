// The check box of a setting of a site. Those who may not change it see it.

import { useMay } from '../../parts/rights/allowed.js'

export function SettingBox({ isOn, onToggle }: { isOn: boolean; onToggle: (isOn: boolean) => void }) {
  return (
    <input
      type="checkbox"
      checked={isOn}
      disabled={!useMay()('manage')}
      onChange={(event) => onToggle(event.currentTarget.checked)}
    />
  )
}
