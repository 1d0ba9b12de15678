// A finding of the checks: a file of a site that is not served as intended, and why.

/** The most findings of one site; the search stops there. */
export const MAX_FINDINGS = 500

export type FindingCode =
  | 'broken_link'
  | 'damaged_repository'
  | 'duplicate_collection'
  | 'duplicate_sidecar'
  | 'hidden_page'
  | 'invalid_collection'
  | 'invalid_former_address'
  | 'invalid_header'
  | 'invalid_record'
  | 'invalid_redirect'
  | 'invalid_sidecar'
  | 'lfs_pointer'
  | 'named_as_file'
  | 'names_differ_by_case'
  | 'no_start_page'
  | 'not_a_file'
  | 'not_a_page'
  | 'not_searched'
  | 'orphan_long_page'
  | 'orphan_record'
  | 'site_file'
  | 'stray_file'
  | 'too_large'
  | 'unreadable_name'

export interface Finding {
  code: FindingCode
  /** Path in the repository. */
  path: string
  /** The meaning of the finding, and the remedy. */
  message: string
}
