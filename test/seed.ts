import fc from 'fast-check'

const { FUZZ_SEED = process.env.FUZZ_REQUESTS ? 'random' : '4711' } = process.env

/**
 * Properties use the same values in every run, so that only a change of the code can cause a new failure.
 * `FUZZ_SEED=random npm test` uses others; a failure prints its seed, and `FUZZ_SEED=<seed>`
 * repeats that run.
 */
export const SEED = FUZZ_SEED === 'random' ? Date.now() % 2 ** 31 : Number(FUZZ_SEED)

fc.configureGlobal({ seed: SEED })
