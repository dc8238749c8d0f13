import { truncate } from '../../../kernel/truncate.ts'
import { type Customer, NOTE_MAX, TAGS_MAX } from './schema.ts'

/** The fields of a customer that a merge combines. */
export type Profile = Pick<
  Customer,
  'name' | 'country' | 'note' | 'tags' | 'metadata' | 'affiliate_partner_id'
>

const METADATA_KEYS_MAX = 20

/**
 * Returns the profile of the customer `into` after a merge. Values of `from` are used only where `into` has
 * none. Consent to marketing is not merged, because it was given for one address.
 */
export function mergeProfiles(into: Profile, from: Profile): Profile {
  const notes = [into.note, from.note].filter((note) => note !== null)
  // An object would give keys such as "42" the first places, and the limit must drop keys of `from` only.
  const metadata = [
    ...Object.entries(into.metadata),
    ...Object.entries(from.metadata).filter(([key]) => !Object.hasOwn(into.metadata, key)),
  ]
  return {
    name: into.name ?? from.name,
    country: into.country ?? from.country,
    note: notes.length === 0 ? null : truncate(notes.join('\n'), NOTE_MAX),
    tags: [...new Set([...into.tags, ...from.tags])].slice(0, TAGS_MAX),
    metadata: Object.fromEntries(metadata.slice(0, METADATA_KEYS_MAX)),
    affiliate_partner_id: into.affiliate_partner_id ?? from.affiliate_partner_id,
  }
}
