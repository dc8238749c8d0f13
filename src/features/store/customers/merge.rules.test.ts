import { expect, test } from 'vitest'
import { mergeProfiles, type Profile } from './merge.rules.ts'
import { NOTE_MAX, TAGS_MAX } from './schema.ts'

const NOBODY: Profile = {
  name: null,
  country: null,
  note: null,
  tags: [],
  metadata: {},
  affiliate_partner_id: null,
}
const ADA: Profile = {
  name: 'Ada',
  country: 'GB',
  note: 'Pays late.',
  tags: ['vip'],
  metadata: { size: 'M' },
  affiliate_partner_id: 'par_1',
}
const GRACE: Profile = {
  name: 'Grace',
  country: 'US',
  note: 'Calls often.',
  tags: ['press', 'vip'],
  metadata: { size: 'L', colour: 'red' },
  affiliate_partner_id: 'par_2',
}

test('the customer that remains keeps their values', () => {
  expect(mergeProfiles(ADA, GRACE)).toEqual({
    ...ADA,
    note: 'Pays late.\nCalls often.',
    tags: ['vip', 'press'],
    metadata: { size: 'M', colour: 'red' },
  })
})

test('values that the remaining customer lacks come from the merged customer', () => {
  expect(mergeProfiles(NOBODY, GRACE)).toEqual(GRACE)
  expect(mergeProfiles(ADA, NOBODY)).toEqual(ADA)
})

test('a merge stays within the limits of a customer', () => {
  const fullProfile = (name: string): Profile => ({
    ...NOBODY,
    note: name.repeat(NOTE_MAX),
    tags: Array.from({ length: TAGS_MAX }, (_, n) => `${name}${n}`),
    metadata: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`${name}${n}`, 'x'])),
  })
  const { note, tags, metadata } = mergeProfiles(fullProfile('a'), fullProfile('b'))
  expect([note, tags, metadata]).toEqual([
    fullProfile('a').note,
    fullProfile('a').tags,
    fullProfile('a').metadata,
  ])
})

test('a key of metadata that looks like a number does not displace a key of the remaining customer', () => {
  const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`key ${n}`, 'x']))
  const merged = mergeProfiles({ ...NOBODY, metadata }, { ...NOBODY, metadata: { 42: 'y' } })
  expect(merged.metadata).toEqual(metadata)
})
