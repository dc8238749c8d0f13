import { transliterate } from 'transliteration'

/**
 * A name for URLs: `a-z`, `0-9` and hyphens, at most 100 characters. Other scripts are
 * transliterated to Latin (decision 230). Empty if the name has no letter or digit.
 */
export const slugOf = (name: string): string =>
  name
    // NFKC composes letters: й and 한 are one letter each, and their parts are transliterated
    // differently.
    .normalize('NFKC')
    .replace(/\p{Script=Han}+/gu, ' $& ')
    .replace(/[\p{L}\p{M}\p{N}]+/gu, inLatin)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replace(/^-+|-+$/g, '')

/** Signs for silent letters ("объект" is `ob"ekt`) would split the word. */
const inLatin = (word: string): string => transliterate(word).replace(/[^\p{L}\p{N}\s]/gu, '')
