// Checks that a repository has the form and the settings of a site's repository, or of the one with its change requests.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { findChangedSettings } from '../../../git/repository/config-file.js'
import { hooksPathOf, verifyBorrower, verifyRepository } from '../../../git/repository/repository.js'
import { checkPrograms } from './program-check.js'
import { diagnose, REMEDY, type Trouble } from '../../protocol/trouble.js'

/** The files that the check reads. */
const FORM_FILES = [
  'config',
  'HEAD',
  'hooks',
  'hooks/pre-receive',
  'hooks/reference-transaction',
  'objects/info/alternates',
  'palimpsest/pushers/objects',
  'reftable',
  'shallow',
]
/** The number of repositories that are remembered as right. */
const MAX_REMEMBERED = 20_000

export class FormCheck {
  /** Stamps of the files when they were found right, by repository. */
  readonly #right = new LRUCache<string, string>({ max: MAX_REMEMBERED })

  /** Reads the files only if they changed. `lender` is the repository that this one must borrow from; without one, from none. */
  check(gitdir: string, lender?: string): Trouble[] {
    const stamp = FORM_FILES.map((name) => stampOf(join(gitdir, name))).join()
    if (this.#right.get(gitdir) === stamp) return []
    const found = checkForm(gitdir, lender)
    if (found.length === 0) this.#right.set(gitdir, stamp)
    else this.#right.delete(gitdir)
    return found
  }
}

function checkForm(gitdir: string, lender: string | undefined): Trouble[] {
  try {
    const settings = lender === undefined ? verifyRepository(gitdir) : verifyBorrower(gitdir, lender)
    const programs = checkPrograms(gitdir, settings)
    const changed = findChangedSettings(settings, hooksPathOf(gitdir), lender !== undefined)
    if (changed.length === 0) return programs
    const names = changed.map(([name, value]) => `${name} must be ${value}`).join(', ')
    const what = `its settings were changed: ${names}`
    return [{ kind: 'repository', subject: 'settings', what, remedy: REMEDY.settings }, ...programs]
  } catch (error) {
    return [{ kind: 'repository', subject: 'form', ...diagnose(error, REMEDY.form) }]
  }
}

/** Returns a text that changes whenever the file does. */
function stampOf(path: string): string {
  try {
    const { ino, size, mtimeMs, mode } = statSync(path)
    return `${ino}:${size}:${mtimeMs}:${mode}`
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
}
