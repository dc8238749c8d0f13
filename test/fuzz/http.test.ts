import { describe, expect, test } from 'vitest'
import { AnswerReader } from '../../src/sender/answer-reader.ts'
import { compare } from './compare.mjs'
import { readCorpus } from './corpus.mjs'
import { classify, DIFFERENCES } from './differences.mjs'
import { type Verdict, verdictOfNode, verdictOfOurs } from './verdicts.mjs'

/** The number of generated answers. `npm run fuzz:http` generates more. */
const INPUTS = 5_000

const corpus = readCorpus()
const singleBytes = (bytes: Buffer) => [...bytes].map((byte) => Buffer.from([byte]))
const textOf = ({ outcome, isReusable }: Verdict) => `${outcome}${isReusable ? ' reuse' : ''}`

describe('an answer of the corpus', () => {
  test.each(corpus)(
    'with $name has the verdict "$verdict" (decision 110)',
    ({ answer, verdict }) => {
      const whole = [Buffer.from(answer, 'latin1')]
      expect(textOf(verdictOfOurs(AnswerReader, whole))).toBe(verdict)
    },
  )

  test.each(corpus)(
    "with $name is read as by Node's parser, or with a listed difference (decision 110)",
    ({ answer }) => {
      const bytes = Buffer.from(answer, 'latin1')
      for (const pieces of [[bytes], singleBytes(bytes)]) {
        const ours = verdictOfOurs(AnswerReader, pieces)
        expect(classify({ ours, node: verdictOfNode(pieces), text: answer })).not.toBe('fault')
      }
    },
  )
})

test("generated answers are read as by Node's parser, or with a listed difference (decision 110)", () => {
  const options = { inputs: INPUTS, seed: 110, corpus: corpus.map(({ answer }) => answer) }
  const { counts, faults } = compare(AnswerReader, options)
  expect(faults).toEqual([])
  const names = new Set(['same', ...DIFFERENCES.map(({ name }) => name)])
  expect([...counts.keys()].filter((name) => !names.has(name))).toEqual([])
})

test('an answer that both readers accept is a fault if its body, status or reuse differs (decision 110)', () => {
  const node: Verdict = { outcome: 'whole', status: 200, body: 'a', isReusable: true }
  expect(classify({ ours: { ...node, body: 'ab' }, node, text: '' })).toBe('fault')
  expect(classify({ ours: { ...node, status: 204 }, node, text: '' })).toBe('fault')
  expect(classify({ ours: node, node: { ...node, isReusable: false }, text: '' })).toBe('fault')
})
