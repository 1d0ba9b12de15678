// The tables of change requests and of the protection of sites: a part of the list in `tables.ts`, whose rules hold here too.

import { from, idOf, integer, states, table, text, zero } from './columns.js'

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
      /** When it is to be published; null, as all that follows, for one without a schedule. */
      publishAt: from(23, text()),
      /** The principal that set this time, in whose name it is published, and its label. */
      scheduledBy: from(23, text()),
      scheduledLabel: from(23, text()),
      /** The workspace in which that principal acted. */
      scheduledIn: from(23, text()),
      /** Ids of the owners who lent it the session; null for a way in of its own. */
      scheduledLentBy: from(23, text()),
      /** The newest commit at that time: no other is published. */
      scheduledHead: from(23, text()),
      /** When the service gave up, with the code and the words of the refusal. */
      heldAt: from(23, text()),
      heldCode: from(23, text()),
      heldReason: from(23, text()),
      /** The page that it is the draft of: a person has one open draft of a page. Null for other requests. */
      pageId: from(25, text()),
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
  /** Comments on a change request, or on the versions of a page. */
  comments: table(
    24,
    {
      id: text('not null unique'),
      siteId: idOf('sites'),
      /** `change-request <id>`, or `page <id of the site> <id>`. */
      subject: text('not null'),
      /** Counts the comments of the subject. It is their order: times can be equal. */
      number: integer('not null'),
      /** The commit that its author looked at. */
      commitOid: text('not null'),
      /** The path of the page or file that it is about; null for all of a request, and on a page. */
      path: text(),
      /** JSON of the quote and the lines in that file; null for all of it. */
      place: text(),
      text: text('not null'),
      /** The comment that it answers: the first of its thread. */
      inReplyTo: text(),
      /** 1 if it asks for changes before the request is approved. */
      asksForChanges: zero(),
      /** Name of the principal or the guest. */
      author: text('not null'),
      /** `user <id>`, kind and id of the principal, or `guest <id of the link>`. */
      madeBy: text('not null'),
      /** The person who made it, or for whom that key or agent acts. */
      userId: text(),
      createdAt: text('not null'),
      editedAt: text(),
      resolvedAt: text(),
      /** Name of who resolved it. */
      resolvedBy: text(),
    },
    ['subject', 'number'],
  ),
  /** Keys that publish although the site is protected. */
  protectionExceptions: table(21, { siteId: idOf('sites'), keyId: text('not null') }, ['siteId', 'keyId']),
}
