// A valid write of every route that moves main, made on a site that `prepareSite` filled. A new route belongs into one of the two lists.

import type { Filled } from './prepare-site.js'

export interface Attempt {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: object | string
  ifMatch?: string
  headers?: Record<string, string>
}

const EDITS = [{ find: 'stays', replace: 'goes' }]

/** The writes that move main, by the operation's id. */
export const MOVES: Readonly<Record<string, (site: Filled) => Attempt>> = {
  createPage: () => ({ body: { path: '/made', html: 'x' } }),
  putPage: () => ({ query: { path: '/put' }, body: { html: 'x' } }),
  retitlePage: ({ page }) => ({ params: { id: page.id }, body: { title: 'Another' }, ifMatch: page.etag }),
  unpublishPage: ({ page }) => ({ params: { id: page.id }, ifMatch: page.etag }),
  replacePage: ({ page }) => ({ params: { id: page.id }, body: { html: 'x' }, ifMatch: page.etag }),
  editContent: ({ page }) => ({ params: { id: page.id }, body: { edits: EDITS }, ifMatch: page.etag }),
  rollbackPage: ({ page }) => ({ params: { id: page.id }, body: { version: 1 }, ifMatch: page.etag }),
  batch: () => ({ body: { operations: [{ op: 'putPage', path: '/batch', html: 'x' }] } }),
  editPages: ({ page }) => ({ body: { pages: [page.id], edits: EDITS } }),
  putFile: () => ({ query: { path: '/put.txt' }, body: 'x' }),
  writeFile: () => ({ body: { path: '/written.txt', text: 'x' } }),
  editFile: ({ file }) => ({ query: { path: file.path }, body: { edits: EDITS }, ifMatch: file.etag }),
  deleteFile: ({ file }) => ({ query: { path: file.path }, ifMatch: file.etag }),
  moveFolder: ({ siteId }) => ({ params: { id: siteId }, body: { from: '/folder/', to: '/moved/' } }),
  moveFile: ({ file }) => ({ body: { from: file.path, to: '/moved.txt' } }),
  rollbackFile: ({ file }) => ({ body: { path: file.path, version: 1 } }),
  createCollection: () => ({ body: { name: 'others', schema: { type: 'object' } } }),
  putCollection: ({ collection: { id, etag } }) => ({ params: { id }, body: { name: 'renamed' }, ifMatch: etag }),
  deleteCollection: ({ collection: { id, etag } }) => ({ params: { id }, ifMatch: etag }),
  createRecord: ({ collection: { id } }) => ({ params: { id }, body: { data: { a: 2 } } }),
  putRecord: ({ collection: { id }, record }) => ({
    params: { id, recordId: record.id },
    body: { data: { a: 3 } },
    ifMatch: record.etag,
  }),
  deleteRecord: ({ collection: { id }, record }) => ({ params: { id, recordId: record.id }, ifMatch: record.etag }),
  revertCommit: ({ siteId, older }) => ({ params: { id: siteId }, body: { commit: older } }),
  undoCommits: ({ siteId, older }) => ({ params: { id: siteId }, body: { commits: [older] } }),
  publishDeploy: ({ deploy }) => ({ params: { id: deploy } }),
}

/** The routes that need more than reading, and leave every main alone. */
export const LEAVE_MAIN_ALONE = [
  // Another route publishes what they bring.
  'createDeploy',
  'putBlob',
  'putBlobs',
  'deleteDeploy',
  // They concern a change request.
  'createChangeRequest',
  'changeChangeRequest',
  'updateChangeRequest',
  'approveChangeRequest',
  'commentOnChangeRequest',
  'commentOnPage',
  'changeComment',
  'deleteComment',
  'unscheduleChangeRequest',
  'createChangeRequestLink',
  'deleteChangeRequestLink',
  // It has a test of its own.
  'publishChangeRequest',
  // They hide what is past, or show it.
  'withdrawVersion',
  'createLink',
  'deleteLink',
  // Settings; a mirror only reads.
  'updateSite',
  'getProtection',
  'setProtection',
  'setMirror',
  'getMirror',
  'retryMirror',
  'deleteMirror',
  // A new site has a main of its own. `deleteSite` has a test of its own.
  'createSite',
  'deleteSite',
  // People and keys.
  'listKeys',
  'createKey',
  'rotateKey',
  'revokeKey',
  'listMembers',
  'getMember',
  'changeMember',
  'removeMember',
  'endSessionsOfMember',
  'makeMemberLink',
  'listInvitations',
  'createInvitation',
  'revokeInvitation',
  'listMailDomains',
  'putMailDomain',
  'removeMailDomain',
  'listIdentities',
  'removeIdentity',
  'listAgents',
  'disconnectAgent',
  'listAudit',
]
