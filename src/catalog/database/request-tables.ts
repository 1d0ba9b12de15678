// The tables of change requests and of the protection of sites: a part of the list in `tables.ts`, whose rules hold here too.

import { idOf, integer, states, table, text } from './columns.js'

export const REQUESTS = {
  changeRequests: table(
    21,
    {
      id: text('not null unique'),
      siteId: idOf('sites'),
      /** Counts the requests of the site, for people. */
      number: integer('not null'),
      title: text('not null'),
      /** A published one is `closed`: only the commit on main says that it was published. */
      state: states('draft', 'review', 'closed'),
      /** The principal that made it, as commits name the author. */
      author: text('not null'),
      /** `user <id>`, or kind and id of the principal. */
      madeBy: text('not null'),
      /** The person who made it, or for whom that key or agent acts; null for keys of the workspace. */
      userId: text(),
      createdAt: text('not null'),
      /** Last change, to the hour; of a change of state, to the second. */
      updatedAt: text('not null'),
      closedAt: text(),
    },
    ['siteId', 'number'],
  ),
  /** Every principal that wrote to a request. */
  changeRequestMakers: table(
    21,
    {
      requestId: idOf('change_requests'),
      madeBy: text('not null'),
      userId: text(),
      label: text('not null'),
    },
    ['requestId', 'madeBy'],
  ),
  /** Approvals of one commit of a request's branch. None is ever changed. */
  changeRequestApprovals: table(
    21,
    {
      requestId: idOf('change_requests'),
      commitOid: text('not null'),
      userId: text('not null'),
      /** Name of the person. */
      label: text('not null'),
      createdAt: text('not null'),
    },
    ['requestId', 'commitOid', 'userId'],
  ),
  /** Keys that publish although the site is protected. */
  protectionExceptions: table(21, { siteId: idOf('sites'), keyId: text('not null') }, ['siteId', 'keyId']),
}
