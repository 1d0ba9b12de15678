// The tasks about changes that wait for a review.

import assert from 'node:assert/strict'
import type { Desk } from '../desk.js'
import type { Keys } from './keys.js'
import type { Task } from './task.js'

interface Answer<T> {
  data: T
}

/** Proposes another text of a page, as a program does. Returns the id of the change request. */
async function propose(desk: Desk, path: string): Promise<string> {
  const page = await desk.publish(path, '<p>before</p>')
  const api = desk.service.api()
  const change = { html: '<p>after</p>' }
  const { body } = await api.put(`/pages/${page}/content?changeRequest=new`).send(change).expect(200)
  const { changeRequest: id } = body as { changeRequest: string }
  await api
    .patch(`/change-requests/${id}`)
    .send({ state: 'review', title: `Change ${path}` })
    .expect(200)
  return id
}

async function open(keys: Keys, desk: Desk, path: string): Promise<string> {
  const id = await propose(desk, path)
  await keys.tab.goto(desk.at(`/sites/demo/reviews/${id}`))
  return id
}

async function read<T>(desk: Desk, path: string): Promise<T> {
  const { body } = await desk.service.api().get(`/change-requests/${path}`).expect(200)
  return (body as Answer<T>).data
}

/** Returns month, day and year of the day after this one. */
function tomorrow(): string {
  const [year, month, day] = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10).split('-')
  return `${month}${day}${year}`
}

export const REVIEW_TASKS: readonly Task[] = [
  {
    does: 'asks for a review in the editor',
    async by(keys, desk) {
      const page = await desk.publish('/asked', '<p>before</p>')
      await keys.tab.goto(desk.at(`/sites/demo/pages/${page}`))
      await keys.reach('textbox', 'HTML')
      await keys.type('<p>new</p>')
      await keys.push('Publish…')
      await keys.push('Ask for review')
      await keys.sees('Waits for review')
    },
  },
  {
    does: 'finds what waits, approves it, and publishes it',
    calls: [
      'api/requests.ts POST /change-requests/{id}/approvals',
      'api/requests.ts POST /change-requests/{id}/publish',
      'parts/seen/seen-texts.tsx PUT /pages',
    ],
    screens: ['/sites/:site/reviews', '/sites/:site/reviews/:request'],
    async by(keys, desk) {
      await propose(desk, '/waits')
      await keys.tab.goto(desk.at('/sites/demo/reviews'))
      await keys.follow('Change /waits')
      await keys.push('Approve')
      await keys.sees('Approved by ')
      await keys.push('Publish')
      await keys.said('Published.')
      assert.equal(await desk.live('/waits'), '<p>after</p>')
    },
  },
  {
    does: 'publishes a change at a time, and takes the time back',
    calls: ['api/requests.ts DELETE /change-requests/{id}/schedule'],
    async by(keys, desk) {
      const id = await open(keys, desk, '/later')
      await keys.push('Publish at…')
      await keys.fillTime('Day and time', `${tomorrow()}0900AM`)
      await keys.push('Set the time')
      await keys.said(/^It is published on /)
      await keys.push('Take the time back')
      await keys.said(/^The time is taken back/)
      assert.equal((await read<{ publishAt: string | null }>(desk, id)).publishAt, null)
    },
  },
  {
    does: 'comments, answers, and resolves what was said',
    calls: [
      'screens/reviews/comments/comment-api.ts POST /change-requests/{id}/comments',
      'screens/reviews/comments/comment-api.ts PATCH /comments/{id}',
    ],
    async by(keys, desk) {
      const id = await open(keys, desk, '/discussed')
      await keys.fill('Your comment', 'Which day?')
      await keys.push('Send the comment')
      await keys.push('Answer')
      await keys.fill('Your answer', 'Sunday.')
      await keys.push('Send the answer')
      await keys.sees('Sunday.')
      await keys.push('Resolve')
      await keys.unfold('resolved')
      await keys.reach('button', 'Open it again')
      const comments = await read<{ text: string }[]>(desk, `${id}/comments`)
      assert.deepEqual(
        comments.map(({ text }) => text),
        ['Which day?', 'Sunday.'],
      )
    },
  },
  {
    does: 'takes either side where the live site was changed too',
    calls: ['api/requests.ts POST /change-requests/{id}/update'],
    async by(keys, desk) {
      const id = await propose(desk, '/both-sides')
      await desk.publish('/both-sides', '<p>meanwhile</p>')
      await keys.tab.goto(desk.at(`/sites/demo/reviews/${id}`))
      await keys.choose('What is live')
      await keys.push('Bring it up to date')
      await keys.said('It is up to date with what is live.')
    },
  },
  {
    does: 'closes a change, and opens it again',
    calls: ['api/requests.ts PATCH /change-requests/{id}'],
    async by(keys, desk) {
      const id = await open(keys, desk, '/closed')
      await keys.push('Close')
      await keys.push('Open it again')
      await keys.said('The request is open again.')
      assert.equal((await read<{ state: string }>(desk, id)).state, 'draft')
    },
  },
  {
    does: 'invites a guest by a link, comments as the guest, and ends the link',
    calls: [
      'screens/guests/invite-guest.tsx POST /change-requests/{id}/links',
      'screens/guests/guest-links.tsx DELETE /change-requests/{id}/links/{linkId}',
      'screens/guests/guest-api.ts POST /guest/review',
      'screens/guests/guest-api.ts POST /guest/comments',
    ],
    async by(keys, desk) {
      await keys.tab.goto(desk.at('/sites/demo/settings/visitors'))
      await keys.toggle('Guests with a review link can comment')
      await keys.said('The settings are saved.')
      const id = await open(keys, desk, '/guests')
      const review = keys.tab.url()
      await keys.push('Invite a guest')
      await keys.choose('a day')
      await keys.push('Make a link')
      const link = await keys.tab.getByRole('region', { name: 'Review link' }).innerText()
      await keys.tab.goto(desk.at(`/review${new URL(link).hash}`))
      await keys.fill('Your name', 'Gus')
      await keys.fill('Your comment', 'Fine')
      await keys.push('Send the comment')
      await keys.sees('Sent. The others see it now.')
      assert.equal((await read<object[]>(desk, `${id}/comments`)).length, 1)
      await keys.tab.goto(review)
      await keys.push('Invite a guest')
      await keys.push(/^End the link by /)
      await keys.sees('No link to this change is open.')
      await keys.press('Escape')
    },
  },
]
