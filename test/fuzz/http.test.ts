import { describe, expect, test } from 'vitest'
import { AnswerReader } from '../../src/sender/answer-reader.ts'
import { compare } from './compare.mjs'
import { readCorpus } from './corpus.mjs'
import { DIFFERENCES, judge } from './differences.mjs'
import { type Verdict, verdictOfNode, verdictOfOurs } from './verdicts.mjs'

/** `npm run fuzz:http` reads many more. */
const INPUTS = 5_000

const corpus = readCorpus()
const oneByOne = (bytes: Buffer) => [...bytes].map((byte) => Buffer.from([byte]))
const textOf = ({ outcome, reuse }: Verdict) => `${outcome}${reuse ? ' reuse' : ''}`

describe('an answer of the corpus', () => {
  test.each(corpus)('with $name is $verdict (decision 110)', ({ answer, verdict }) => {
    const whole = [Buffer.from(answer, 'latin1')]
    expect(textOf(verdictOfOurs(AnswerReader, whole))).toBe(verdict)
  })

  test.each(corpus)(
    'with $name differs from what Node reads in no unnamed way (decision 110)',
    ({ answer }) => {
      const bytes = Buffer.from(answer, 'latin1')
      for (const pieces of [[bytes], oneByOne(bytes)]) {
        const ours = verdictOfOurs(AnswerReader, pieces)
        expect(judge({ ours, node: verdictOfNode(pieces), text: answer })).not.toBe('fault')
      }
    },
  )
})

test('answers that are made up and damaged are read as Node reads them, or differ in a named way (decision 110)', () => {
  const options = { inputs: INPUTS, seed: 110, corpus: corpus.map(({ answer }) => answer) }
  const { counts, faults } = compare(AnswerReader, options)
  expect(faults).toEqual([])
  const names = new Set(['same', ...DIFFERENCES.map(({ name }) => name)])
  expect([...counts.keys()].filter((name) => !names.has(name))).toEqual([])
})

test('an answer that both take for whole, with another end, is a fault (decision 110)', () => {
  const node: Verdict = { outcome: 'whole', status: 200, body: 'a', reuse: true }
  expect(judge({ ours: { ...node, body: 'ab' }, node, text: '' })).toBe('fault')
  expect(judge({ ours: { ...node, status: 204 }, node, text: '' })).toBe('fault')
  expect(judge({ ours: node, node: { ...node, reuse: false }, text: '' })).toBe('fault')
})
