import { readdirSync, readFileSync } from 'node:fs'

/**
 * @typedef {object} Known
 * @property {string} name
 * @property {string} answer in latin1
 * @property {string} verdict of ours: its outcome, and `reuse`
 */

const FOLDER = new URL('corpus/', import.meta.url)

/** Answers that are known to be read differently by different programs. @returns {Known[]} */
export const readCorpus = () =>
  readdirSync(FOLDER)
    .sort()
    .flatMap((file) => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')))
