// The columns that bound the rows of people without an account, in PostgreSQL. Older nodes still keep questions to passkeys in
// `passkey_challenges`: a later release drops it.

export const VISITORS_ROWS = `
  SET LOCAL search_path = catalog;
  ALTER TABLE oauth_items ADD COLUMN asked_from words, ADD COLUMN made_at bigint;
  CREATE INDEX ON oauth_items (asked_from, made_at) WHERE asked_from IS NOT NULL;
  ALTER TABLE agents ADD COLUMN device words;`
