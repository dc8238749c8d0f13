// One seed for everything that tests leave to chance.

/** The seed of a run that names none, so that only a change of the code can cause a new failure. */
const SEED_DEFAULT = 4711
const SEED_MAX = 2 ** 31 - 1

/**
 * The seed of this run: `SEED=12 npm test` repeats the run that printed it, `SEED=random` takes a new one. A program
 * that starts others exports the number with `exportSeed`, so that all take the same.
 */
export const SEED = readSeed(process.env.SEED)

/** @param {string | undefined} text */
function readSeed(text) {
  if (!text) return SEED_DEFAULT
  if (text === 'random') return Math.floor(Math.random() * SEED_MAX)
  const seed = Number(text)
  if (Number.isSafeInteger(seed) && seed >= 0 && seed <= SEED_MAX) return seed
  throw new TypeError(`SEED is ${text}, not "random" or a whole number of at most ${SEED_MAX}.`)
}

/** Gives the seed to the programs that this one starts. Returns the line to print. */
export function exportSeed() {
  process.env.SEED = String(SEED)
  return `SEED=${SEED}`
}

/**
 * @typedef {object} Choices
 * @property {(limit: number) => number} below Returns a whole number from 0 to `limit - 1`.
 * @property {<T>(items: readonly T[]) => T} pick
 * @property {<T>(items: readonly T[]) => T[]} shuffle
 */

/**
 * Random choices, which are the same for the same seed. A call returns a number from 0 (inclusive) to 1 (exclusive).
 *
 * @typedef {(() => number) & Choices} Chance
 */

/**
 * Returns random choices of the run's seed for one user of them, such as a test or one of its actors. Another name
 * gives others, so a user that draws more often changes nothing for its neighbours.
 *
 * @param {string} name
 * @returns {Chance}
 */
export const chanceOf = (name) => createChance(SEED ^ hashOf(name))

/**
 * @param {number} seed
 * @returns {Chance}
 */
export function createChance(seed) {
  const random = mulberry32(seed)
  const below = (/** @type {number} */ limit) => Math.floor(random() * limit)
  return Object.assign(() => random(), {
    below,
    /** @template T @param {readonly T[]} items */
    pick(items) {
      if (items.length === 0) throw new Error('The list is empty.')
      return /** @type {T} */ (items[below(items.length)])
    },
    /** @template T @param {readonly T[]} items */
    shuffle(items) {
      return items
        .map((item) => ({ item, position: random() }))
        .sort((left, right) => left.position - right.position)
        .map(({ item }) => item)
    },
  })
}

/** @param {number} seed */
function mulberry32(seed) {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** FNV-1a of 32 bits. @param {string} text */
function hashOf(text) {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash
}
