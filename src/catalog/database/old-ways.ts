// The changes to old rows in step 18, in the words of either database. They bind what owners lent to their workspace, and name the makers
// of links to the past.

import type { Dialect } from './ddl.js'

/**
 * Returns the statements that bind what was made before. An entry of the audit log tells that an owner made a link for a person. Each way
 * in that the person got from then on may come of it. It is bound to that workspace, and to none if the entries name several. Sessions
 * begun by other ways may come of a passkey that is bound now: they end. So do open links, whose makers are not known.
 */
export function bindOldWays({ field, join }: Dialect): string[] {
  const lent = `
    CREATE TEMPORARY TABLE lent AS
    SELECT substr(${field('target')}, 6) AS user_id, workspace_id, ${field('actor', 'userId')} AS maker_id, ${field('at')} AS at
    FROM audit_entries WHERE ${field('action')} = 'member.sign_in_link'`
  const from = (table: string) => `FROM lent WHERE lent.user_id = ${table}.user_id AND lent.at <= ${table}.created_at`
  const bind = (table: string, also: string, which: string) => `
    UPDATE ${table} SET ${also}
      bound_to = (SELECT CASE count(DISTINCT workspace_id) WHEN 1 THEN min(workspace_id) ELSE '' END ${from(table)}),
      lent_by = (SELECT ${join('maker_id')} ${from(table)})
    WHERE ${which} EXISTS (SELECT 1 ${from(table)})`
  return [
    lent,
    bind('passkeys', '', ''),
    bind('identities', '', ''),
    bind('sessions', 'proven_at = NULL,', "means = 'link' AND"),
    `DELETE FROM sessions WHERE bound_to IS NULL AND EXISTS (SELECT 1 ${from('sessions')})`,
    'DELETE FROM sign_in_links WHERE user_id IS NOT NULL',
    'DROP TABLE lent',
  ]
}

/** Returns the statements that name the makers of links to the past, as far as keys and the audit log tell. */
export function nameOldMakers({ field }: Dialect): string[] {
  const kind = field('actor', 'kind')
  const maker = `
    CASE WHEN ${kind} = 'session' THEN 'user ' || ${field('actor', 'userId')} ELSE ${kind} || ' ' || ${field('actor', 'id')} END`
  return [
    "UPDATE links SET made_by = 'key ' || key_id WHERE key_id IS NOT NULL",
    `CREATE TEMPORARY TABLE makers AS
    SELECT ${field('target')} AS target, ${maker} AS maker FROM audit_entries WHERE ${field('action')} = 'link.create'`,
    `UPDATE links SET made_by = (SELECT min(maker) FROM makers WHERE target = 'link ' || links.id) WHERE made_by IS NULL`,
    'DROP TABLE makers',
  ]
}
