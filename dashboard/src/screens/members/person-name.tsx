// A person in a list: the initials and the name, cut where it is long, with all of it as a tooltip.

import { Avatar } from '../../parts/states/avatar.js'

export function PersonName({ name, isYou = false }: { name: string; isYou?: boolean }) {
  return (
    <span class="person-name" title={name}>
      <Avatar name={name} />
      <bdi>{name}</bdi>
      {isYou && <span class="hint">(you)</span>}
    </span>
  )
}
