// The last change of a site in people's words: "Grace changed Spring fair, 5 minutes ago".

import { Age } from '../../parts/states/age.js'
import { Avatar } from '../../parts/states/avatar.js'
import type { Glance } from './glance.js'

/** By the first words of a commit's subject. The service writes subjects of this form, unless somebody gave a reason. */
const VERBS: readonly [RegExp, string][] = [
  [/^(?:Publish|Replace|Edit) (?=\/)/, 'changed'],
  [/^Retitle (?=\/)/, 'renamed'],
  [/^Unpublish (?=\/)/, 'unpublished'],
  [/^Roll back (?=\/)/, 'went back to an earlier version of'],
  [/^Move (?:file )?(?=\/)/, 'moved'],
  [/^Delete file (?=\/)/, 'deleted'],
  [/^Create site (?=.)/, 'made the site'],
]

interface Words {
  verb: string
  /** The path of a page or file. */
  path?: string
}

function wordChange(subject: string): Words {
  for (const [form, verb] of VERBS) {
    if (!form.test(subject)) continue
    const [first = ''] = subject.replace(form, '').split(' ')
    return first.startsWith('/') ? { verb, path: first } : { verb }
  }
  return { verb: 'changed the site' }
}

export function LastChange({ of: { last, pages } }: { of: Glance }) {
  if (last === undefined) return null
  const { verb, path } = wordChange(last.subject)
  const title = pages.find((page) => page.path === path)?.title ?? path
  return (
    <span class="last-change" title={last.subject}>
      <Avatar name={last.author} isAgent={last.agent !== undefined} />
      <span>
        {last.author} {verb}
        {title !== undefined && (
          <>
            {' '}
            <b>{title}</b>
          </>
        )}
        , <Age of={last.createdAt} />
      </span>
    </span>
  )
}
