import { transliterate } from 'transliteration'

/**
 * A name as it stands in an address: `a-z`, `0-9` and hyphens, at most 100. Letters of other scripts
 * are written in Latin ones (decision 230). Empty if the name has no letter or digit.
 */
export const slugOf = (name: string): string =>
  name
    // Composed, because й and 한 are one letter each, and their parts read differently.
    .normalize('NFKC')
    .replace(/\p{Script=Han}+/gu, ' $& ')
    .replace(/[\p{L}\p{M}\p{N}]+/gu, inLatin)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replace(/^-+|-+$/g, '')

/** Signs for letters that are not spoken ("объект" is `ob"ekt`) would split the word. */
const inLatin = (word: string): string => transliterate(word).replace(/[^\p{L}\p{N}\s]/gu, '')
