// Names the answers of the API.

import type { DataOf } from '../../../src/protocols/client/client.js'

export type Page = DataOf<'/pages/{id}', 'get'>
export type TriedRules = DataOf<'/sites/{id}/resolve', 'post'>
export type StoredFile = DataOf<'/files', 'get'>[number]
export type PageHit = DataOf<'/search', 'get'>[number]
export type Version = DataOf<'/pages/{id}/versions/{version}', 'get'>
export type VersionDiff = DataOf<'/pages/{id}/diff', 'get'>
export type Site = DataOf<'/sites/{id}', 'get'>
export type SiteLink = DataOf<'/sites/{id}/links', 'get'>[number]
export type Mirror = DataOf<'/sites/{id}/mirror', 'get'>
export type ChangeRequest = DataOf<'/change-requests/{id}', 'get'>
export type RequestChange = DataOf<'/change-requests/{id}/changes', 'get'>[number]
export type BranchConflict = DataOf<'/change-requests/{id}/conflicts', 'get'>[number]
export type Protection = DataOf<'/sites/{id}/protection', 'get'>
export type Commit = DataOf<'/sites/{id}/commits/{oid}', 'get'>
export type Undo = DataOf<'/sites/{id}/undo', 'post'>
export type Tag = DataOf<'/sites/{id}/tags', 'get'>[number]
export type Checks = DataOf<'/sites/{id}/checks', 'get'>
export type Collection = DataOf<'/collections/{id}', 'get'>
export type StoredRecord = DataOf<'/collections/{id}/records/{recordId}', 'get'>
export type Key = DataOf<'/keys', 'get'>[number]
export type Agent = DataOf<'/agents', 'get'>[number]
export type AgentRun = DataOf<'/agents/work', 'get'>[number]
export type NewKey = DataOf<'/keys', 'post'>
export type Passkey = DataOf<'/me/passkeys', 'get'>[number]
export type Session = DataOf<'/me/sessions', 'get'>[number]
export type Member = DataOf<'/members', 'get'>[number]
export type OneMember = DataOf<'/members/{id}', 'get'>
export type MemberLink = DataOf<'/members/{id}/sign-in-link', 'post'>
export type MailDomain = DataOf<'/mail-domains', 'get'>[number]
export type Identity = DataOf<'/me/identities', 'get'>[number]
export type Invitation = DataOf<'/invitations', 'get'>[number]
export type NewInvitation = DataOf<'/invitations', 'post'>
export type AuditEntry = DataOf<'/audit', 'get'>[number]
export type InvitationView = DataOf<'/session/invitation', 'post'>
export type PasskeyQuestion = DataOf<'/session/passkey/options', 'post'>
export type SignInProviders = DataOf<'/session/providers', 'get'>
export type SignInProblem = NonNullable<SignInProviders['problem']>
export type Me = DataOf<'/me', 'get'>
export type Usage = DataOf<'/usage', 'get'>
