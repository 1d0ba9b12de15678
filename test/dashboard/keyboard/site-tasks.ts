// The tasks about sites and their settings.

import assert from 'node:assert/strict'
import { makeSite } from '../make-site.js'
import type { Task } from './task.js'

export const SITE_TASKS: readonly Task[] = [
  {
    does: 'makes a site by saying its name',
    calls: ['screens/sites/new-site.tsx POST /sites'],
    screens: ['/', '/sites/:site'],
    async by(keys, desk) {
      await keys.tab.goto(desk.at('/'))
      await keys.push('New site')
      await keys.fill('Name', 'Chess Club')
      await keys.press('Enter')
      await keys.sees('No pages yet')
      assert.equal((await desk.service.visit('/', 'chess-club')).status, 404)
      const { body } = await desk.service.api().get('/sites?slug=chess-club').expect(200)
      assert.equal((body as { data: [{ name: string }] }).data[0].name, 'Chess Club')
    },
  },
  {
    does: 'takes back an import that failed',
    calls: ['screens/sites/import-list.tsx DELETE /sites/{id}'],
    async by(keys, desk) {
      await keys.tab.goto(desk.at('/'))
      await keys.push('New site')
      await keys.fill('Name', 'From afar')
      await keys.unfold('Import it from a git repository')
      await keys.fill('URL', 'https://localhost:9/site.git')
      await keys.push('Import the site')
      await keys.push(/^(Dismiss|Cancel)$/)
      await keys.tab.getByText('https://localhost:9/site.git').waitFor({ state: 'detached' })
      const { body } = await desk.service.api().get('/sites?slug=from-afar').expect(200)
      assert.deepEqual((body as { data: object[] }).data, [])
    },
  },
  {
    does: 'goes to each main screen, to each part of a site, and to each part of its settings',
    screens: [
      '/reviews',
      '/keys',
      '/members',
      '/agents',
      '/agents/work',
      '/audit',
      '/profile',
      ...['files', 'files/_redirects', 'files/_headers', 'reviews', 'history', 'history/past', 'collections'].map(
        (part) => `/sites/:site/${part}`,
      ),
      ...['checks', 'settings'].map((part) => `/sites/:site/${part}`),
      ...['general', 'visitors', 'protection', 'people', 'git', 'programs', 'domains', 'danger'].map(
        (part) => `/sites/:site/settings/${part}`,
      ),
    ],
    async by(keys, desk) {
      const isAt = (path: string) => keys.tab.waitForURL(desk.at(path))
      const go = async (link: string | RegExp, path: string) => {
        await keys.follow(link)
        await isAt(path)
        assert.ok(await keys.hasPlace(), path)
      }
      await keys.tab.goto(desk.at('/'))
      await go(/^Reviews/, '/reviews')
      await go('API keys', '/keys')
      await go('Members', '/members')
      await go('Audit', '/audit')
      await go('Agents', '/agents')
      await go('Work', '/agents/work')
      await keys.pick(/^Ada/, 'My profile')
      await isAt('/profile')
      await go('Sites', '/')
      await go('demo', '/sites/demo')
      await go('Files', '/sites/demo/files')
      await go('Redirects', '/sites/demo/files/_redirects')
      await go('Files', '/sites/demo/files')
      await go('Header fields', '/sites/demo/files/_headers')
      await go('Reviews', '/sites/demo/reviews')
      await go('History', '/sites/demo/history')
      await go('Go back in time', '/sites/demo/history/past')
      await go('Collections', '/sites/demo/collections')
      await go('Checks', '/sites/demo/checks')
      await go('Settings', '/sites/demo/settings')
      const parts = ['General', 'Visitors', 'Protection', 'People', 'Git', 'For programs', 'Domains', 'Danger']
      for (const part of parts) {
        const path = part.split(' ').at(-1)?.toLowerCase() ?? ''
        await go(part, `/sites/demo/settings/${path}`)
      }
    },
  },
  {
    does: 'renames a site',
    calls: ['screens/settings/general.tsx PATCH /sites/{id}'],
    async by(keys, desk) {
      await keys.tab.goto(desk.at('/sites/demo/settings/general'))
      await keys.fill('Name of the site', 'Hill School')
      await keys.push('Save the name')
      await keys.said('The site is called Hill School from now on.')
      const { body } = await desk.service.api().get('/sites?slug=demo').expect(200)
      assert.equal((body as { data: [{ name: string }] }).data[0].name, 'Hill School')
    },
  },
  {
    does: 'switches a setting for visitors',
    calls: ['screens/settings/settings.tsx PATCH /sites/{id}'],
    async by(keys, desk) {
      await keys.tab.goto(desk.at('/sites/demo/settings/visitors'))
      await keys.toggle('Visitors can search the pages')
      await keys.said('The settings are saved.')
      const { body } = await desk.service.api().get(`/sites/${desk.service.site.id}`).expect(200)
      assert.equal((body as { data: { search: boolean } }).data.search, true)
    },
  },
  {
    does: 'makes another site the default one',
    async by(keys, desk) {
      const slug = await makeSite(desk.service)
      await keys.tab.goto(desk.at(`/sites/${slug}/settings/general`))
      await keys.push('Make this the default site')
      await keys.said('The settings are saved.')
      await keys.sees('This is the default site.')
      await keys.tab.goto(desk.at('/sites/demo/settings/general'))
      await keys.push('Make this the default site')
      await keys.sees('This is the default site.')
    },
  },
  {
    does: 'protects a site, and opens it again',
    calls: ['screens/settings/protection/protection-form.tsx PUT /sites/{id}/protection'],
    async by(keys, desk) {
      const protection = async () => {
        const { body } = await desk.service.api().get(`/sites/${desk.service.site.id}`).expect(200)
        return (body as { data: { protection: string } }).data.protection
      }
      await keys.tab.goto(desk.at('/sites/demo/settings/protection'))
      await keys.choose(/^Agents ask/)
      await keys.push('Save the protection')
      await keys.said('The protection is saved.')
      assert.equal(await protection(), 'agents')
      await keys.choose(/^All publish/)
      await keys.push('Save the protection')
      await keys.tab.waitForLoadState('networkidle')
      assert.equal(await protection(), 'none')
    },
  },
  {
    does: 'sets a mirror, tries it again, and switches it off',
    calls: [
      'screens/settings/git/set-mirror.tsx PUT /sites/{id}/mirror',
      'screens/settings/git/mirror.tsx POST /sites/{id}/mirror/retry',
      'screens/settings/git/mirror.tsx DELETE /sites/{id}/mirror',
    ],
    async by(keys, desk) {
      await keys.tab.goto(desk.at('/sites/demo/settings/git'))
      await keys.push('Mirror the site…')
      await keys.fill('URL', 'https://localhost:9/copy.git')
      await keys.press('Enter')
      await keys.push('Try again')
      await keys.push('Switch off')
      await keys.said('The mirror is switched off.')
    },
  },
  {
    does: 'makes a key for a clone',
    calls: ['screens/settings/git/clone-key.tsx POST /keys'],
    async by(keys, desk) {
      await keys.tab.goto(desk.at('/sites/demo/settings/git'))
      await keys.push('Make a key for a clone…')
      await keys.push('Make the key')
      await keys.sees('shown only now')
      await keys.press('Escape')
    },
  },
  {
    does: 'shares the past of a site by a link, and ends the link',
    calls: [
      'parts/controls/open-past.tsx POST /sites/{id}/links',
      'screens/settings/site-links.tsx DELETE /sites/{id}/links/{linkId}',
    ],
    async by(keys, desk) {
      await desk.publish('/shared', '<title>Shared</title>')
      await keys.tab.goto(desk.at('/sites/demo/history'))
      const opened = keys.tab.context().waitForEvent('page')
      await keys.pick('More about “Publish /shared”', 'Open the site as it was')
      const past = await opened
      await past.waitForURL(/\/\/link-/)
      await past.close()
      await keys.tab.goto(desk.at('/sites/demo/settings/visitors'))
      await keys.push(/^End the link to /)
      await keys.said('The link is ended.')
    },
  },
  {
    does: 'deletes a site by typing its address',
    calls: ['screens/settings/danger.tsx DELETE /sites/{id}'],
    async by(keys, desk) {
      const slug = await makeSite(desk.service)
      await keys.tab.goto(desk.at(`/sites/${slug}/settings/danger`))
      await keys.push('Delete the site…')
      await keys.fill(`Type ${slug} to confirm`, slug)
      await keys.press('Enter')
      await keys.said(`The site ${slug} is deleted.`)
      const { body } = await desk.service.api().get(`/sites?slug=${slug}`).expect(200)
      assert.deepEqual((body as { data: object[] }).data, [])
    },
  },
]
