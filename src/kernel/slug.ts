import { createRequire } from 'node:module'

const loadPackage = createRequire(import.meta.url)

/** The slug of a store, as it stands in a path. */
export const STORE_SLUG = /^[a-z0-9-]{1,110}$/

/**
 * Returns a name for URLs: `a-z`, `0-9` and hyphens, at most 100 characters. Other scripts are
 * transliterated to Latin. The result is empty if the name has no letter or digit.
 */
export const slugOf = (name: string): string =>
  name
    // NFKC composes letters such as й and 한, whose parts would be transliterated differently.
    .normalize('NFKC')
    .replace(/\p{Script=Han}+/gu, ' $& ')
    .replace(/[\p{L}\p{M}\p{N}]+/gu, toLatin)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replace(/^-+|-+$/g, '')

const ASCII = /^[a-z0-9]*$/i

/** Transliterates a word without signs for silent letters, which would split it ("объект" is `ob"ekt`). */
function toLatin(word: string): string {
  if (ASCII.test(word)) return word
  // The tables of all scripts take 30 ms and 4 MB, so they are loaded with the first word that needs them.
  const { transliterate }: typeof import('transliteration') = loadPackage('transliteration')
  return transliterate(word).replace(/[^\p{L}\p{N}\s]/gu, '')
}
