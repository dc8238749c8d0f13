import { readdirSync, readFileSync } from 'node:fs'

/**
 * @typedef {object} CorpusEntry
 * @property {string} name
 * @property {string} answer in latin1
 * @property {string} verdict of our reader: its outcome, followed by `reuse` if the connection may be used again
 */

const FOLDER = new URL('corpus/', import.meta.url)

/** Returns answers that different programs are known to read differently. @returns {CorpusEntry[]} */
export const readCorpus = () =>
  readdirSync(FOLDER)
    .sort()
    .flatMap((file) => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')))
