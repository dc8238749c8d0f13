import { NOTE_MAX, TAGS_MAX } from './schema.ts'

/** The fields that one customer may take from another. */
export interface Profile {
  name: string | null
  country: string | null
  note: string | null
  tags: string[]
  metadata: Record<string, string>
  affiliate_partner_id: string | null
}

const METADATA_KEYS_MAX = 20

/** Limits a text to this number of UTF-16 units, without half of a surrogate pair at the end. */
const cut = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\ud800-\udbff]$/, '')

/**
 * The profile of a customer after a merge. Its own values win, and those of the merged customer fill what it
 * lacks. Consent to marketing is not among them: it was given for one address.
 */
export function mergeProfiles(into: Profile, from: Profile): Profile {
  const notes = [into.note, from.note].filter((note) => note !== null)
  const metadata = Object.entries({ ...into.metadata, ...from.metadata, ...into.metadata })
  return {
    name: into.name ?? from.name,
    country: into.country ?? from.country,
    note: notes.length === 0 ? null : cut(notes.join('\n'), NOTE_MAX),
    tags: [...new Set([...into.tags, ...from.tags])].slice(0, TAGS_MAX),
    metadata: Object.fromEntries(metadata.slice(0, METADATA_KEYS_MAX)),
    affiliate_partner_id: into.affiliate_partner_id ?? from.affiliate_partner_id,
  }
}
