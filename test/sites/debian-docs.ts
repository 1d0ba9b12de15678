// Sites that Debian's packages of documentation hold: two large ones have links to scripts of other packages.

import { existsSync } from 'node:fs'
import type { SiteSource } from './program.js'

const PACKAGES = [
  { name: 'git-doc', folder: '/usr/share/doc/git/html' },
  { name: 'debian-faq', folder: '/usr/share/doc/debian/FAQ' },
  { name: 'python3.11-doc', folder: '/usr/share/doc/python3.11-doc/html' },
  { name: 'openjdk-17-doc', folder: '/usr/share/doc/openjdk-17-doc' },
]

export const DEBIAN_DOCS: readonly SiteSource[] = PACKAGES.map(({ name, folder }) => ({
  name: name.replaceAll('.', '-'),
  build: async () =>
    existsSync(folder) ? { folder, options: ['--follow-links'] } : `${folder} is not there (apt-get install ${name})`,
}))
